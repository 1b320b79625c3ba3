import { AppError } from '@sluice/core/error';

/** A refusal of the form of a request, and of nothing that it says: another model may take the same request. */
export class FormRefused extends AppError {
  constructor(details: AppError['details'], options: { cause: unknown }) {
    super('model_request_refused', details, options);
  }
}
