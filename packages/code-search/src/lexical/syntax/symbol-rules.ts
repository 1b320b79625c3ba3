import type { Node } from 'web-tree-sitter';
import type { Language } from './language.ts';

/** How the symbols of a language are found in its trees. */
export interface SymbolRules {
  /** What a node of this type defines. */
  readonly symbols: Readonly<Record<string, SymbolRule>>;
  /** Nodes that define nothing but hold nodes that do. */
  readonly through: ReadonlySet<string>;
}

interface SymbolRule {
  /** @returns null when this node is none after all */
  kind(node: Node): string | null;
  name(node: Node): string | null;
}

const named = (kind: string, field = 'name'): SymbolRule => ({
  kind: () => kind,
  name: (node) => node.childForFieldName(field)?.text ?? null,
});

const all = (kinds: Record<string, string>): Record<string, SymbolRule> =>
  Object.fromEntries(Object.entries(kinds).map(([type, kind]) => [type, named(kind)]));

const through = (types: string) => new Set(types.split(' '));

const FUNCTION_VALUES = through('arrow_function function_expression generator_function function');

/** A field or a property is a symbol when its value is a function. */
function functionIn(field: string, kind: string): SymbolRule {
  return {
    kind: (node) => (FUNCTION_VALUES.has(node.childForFieldName(field)?.type ?? '') ? kind : null),
    name: (node) => node.namedChild(0)?.text ?? null,
  };
}

/** The kind of a variable by its value: a function, a class, or, at the top, a constant. */
const VARIABLE: SymbolRule = {
  kind(node) {
    const value = node.childForFieldName('value')?.type ?? '';
    if (FUNCTION_VALUES.has(value)) return 'function';
    if (value === 'class') return 'class';
    return isAtTop(node) ? 'constant' : null;
  },
  name: (node) => node.childForFieldName('name')?.text ?? null,
};

function isAtTop(node: Node): boolean {
  const holder = node.parent?.parent;
  return holder?.type === 'program' || holder?.type === 'export_statement';
}

const ECMASCRIPT: SymbolRules = {
  symbols: {
    ...all({
      function_declaration: 'function',
      generator_function_declaration: 'function',
      function_signature: 'function',
      class_declaration: 'class',
      abstract_class_declaration: 'class',
      interface_declaration: 'interface',
      type_alias_declaration: 'type',
      enum_declaration: 'enum',
      internal_module: 'namespace',
      module: 'namespace',
      method_definition: 'method',
      abstract_method_signature: 'method',
    }),
    variable_declarator: VARIABLE,
    public_field_definition: functionIn('value', 'method'),
    field_definition: functionIn('value', 'method'),
    pair: functionIn('value', 'method'),
    assignment_expression: functionIn('right', 'function'),
  },
  through: through(
    'export_statement ambient_declaration lexical_declaration variable_declaration class_body statement_block object ' +
      'expression_statement assignment_expression class satisfies_expression as_expression',
  ),
};

const GO_TYPES: Record<string, string> = { struct_type: 'struct', interface_type: 'interface' };

const GO: SymbolRules = {
  symbols: {
    ...all({ function_declaration: 'function', const_spec: 'constant', var_spec: 'variable', type_alias: 'type' }),
    type_spec: {
      kind: (node) => GO_TYPES[node.childForFieldName('type')?.type ?? ''] ?? 'type',
      name: (node) => node.childForFieldName('name')?.text ?? null,
    },
    method_declaration: {
      kind: () => 'method',
      name(node) {
        const receiver = /(\w+)(\[[^\]]*\])?\s*\)$/.exec(node.childForFieldName('receiver')?.text ?? '')?.[1];
        const name = node.childForFieldName('name')?.text ?? null;
        return receiver === undefined ? name : `${receiver}.${name}`;
      },
    },
  },
  through: through('type_declaration const_declaration var_declaration var_spec_list'),
};

/** The name inside a C declarator: `*(*name[2])(int)` and the like. */
function declared(node: Node): string | null {
  let at: Node | null = node.childForFieldName('declarator');
  while (at?.childForFieldName('declarator')) at = at.childForFieldName('declarator');
  return at?.text.startsWith('(') ? null : (at?.text ?? null); // a pointer to functions is a variable
}

const isPrototype = (node: Node): boolean => {
  let at: Node | null = node.childForFieldName('declarator');
  while (at !== null && at.type !== 'function_declarator') at = at.childForFieldName('declarator');
  return at !== null;
};

const withBody = (kind: string): SymbolRule => ({
  kind: (node) => (node.childForFieldName('body') === null ? null : kind), // `struct a b;` defines no struct
  name: (node) => node.childForFieldName('name')?.text ?? null,
});

const CPP: SymbolRules = {
  symbols: {
    function_definition: { kind: () => 'function', name: declared },
    declaration: { kind: (node) => (isPrototype(node) ? 'function' : null), name: declared },
    field_declaration: { kind: (node) => (isPrototype(node) ? 'method' : null), name: declared },
    type_definition: { kind: () => 'type', name: declared },
    class_specifier: withBody('class'),
    struct_specifier: withBody('struct'),
    union_specifier: withBody('union'),
    enum_specifier: withBody('enum'),
    ...all({ namespace_definition: 'namespace', preproc_function_def: 'macro', alias_declaration: 'type' }),
  },
  through: through(
    'declaration_list field_declaration_list template_declaration linkage_specification preproc_ifdef preproc_if ' +
      'preproc_else preproc_elif declaration',
  ),
};

export const symbolRules: Record<Language, SymbolRules> = {
  typescript: ECMASCRIPT,
  tsx: ECMASCRIPT,
  javascript: ECMASCRIPT,
  go: GO,
  cpp: CPP,
  python: {
    symbols: {
      ...all({ function_definition: 'function', class_definition: 'class' }),
      assignment: {
        kind: (node) => (node.parent?.parent?.type === 'module' ? 'constant' : null),
        name: (node) => node.childForFieldName('left')?.text ?? null,
      },
    },
    through: through('decorated_definition block expression_statement if_statement else_clause try_statement'),
  },
  rust: {
    symbols: {
      ...all({
        function_item: 'function',
        function_signature_item: 'function',
        struct_item: 'struct',
        enum_item: 'enum',
        union_item: 'union',
        trait_item: 'trait',
        mod_item: 'module',
        macro_definition: 'macro',
        const_item: 'constant',
        static_item: 'constant',
        type_item: 'type',
      }),
      impl_item: named('impl', 'type'),
    },
    through: through('declaration_list'),
  },
  java: {
    symbols: all({
      class_declaration: 'class',
      interface_declaration: 'interface',
      enum_declaration: 'enum',
      record_declaration: 'record',
      annotation_type_declaration: 'annotation',
      method_declaration: 'method',
      constructor_declaration: 'constructor',
      compact_constructor_declaration: 'constructor',
    }),
    through: through('class_body interface_body enum_body enum_body_declarations annotation_type_body'),
  },
  'c-sharp': {
    symbols: all({
      namespace_declaration: 'namespace',
      class_declaration: 'class',
      struct_declaration: 'struct',
      interface_declaration: 'interface',
      enum_declaration: 'enum',
      record_declaration: 'record',
      delegate_declaration: 'delegate',
      method_declaration: 'method',
      constructor_declaration: 'constructor',
      property_declaration: 'property',
    }),
    through: through('declaration_list file_scoped_namespace_declaration preproc_if preproc_else'),
  },
  ruby: {
    symbols: all({ class: 'class', module: 'module', method: 'method', singleton_method: 'method' }),
    through: through('body_statement'),
  },
  php: {
    symbols: all({
      function_definition: 'function',
      class_declaration: 'class',
      interface_declaration: 'interface',
      trait_declaration: 'trait',
      enum_declaration: 'enum',
      method_declaration: 'method',
    }),
    through: through('declaration_list enum_declaration_list namespace_definition compound_statement if_statement'),
  },
  bash: { symbols: all({ function_definition: 'function' }), through: through('if_statement') },
  powershell: {
    symbols: {
      function_statement: byFirst('function'),
      class_statement: byFirst('class'),
      class_method_definition: byType('method', 'simple_name'),
    },
    through: through('statement_list script_block script_block_body'),
  },
  css: {
    symbols: {
      rule_set: byFirst('rule'),
      keyframes_statement: byType('keyframes', 'keyframes_name'),
      media_statement: {
        kind: () => 'media',
        name: (node) => node.text.slice(0, Math.max(0, node.text.indexOf('{'))).trim(),
      },
    },
    through: through('block supports_statement'),
  },
};

function byFirst(kind: string): SymbolRule {
  return { kind: () => kind, name: (node) => node.namedChild(0)?.text ?? null };
}

function byType(kind: string, type: string): SymbolRule {
  return {
    kind: () => kind,
    name: (node) => node.namedChildren.find((child) => child?.type === type)?.text ?? null,
  };
}
