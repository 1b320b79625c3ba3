# syntax=docker/dockerfile:1
# The image holds what `npm run build` writes, and the programs that the service starts. No secret belongs into it: all
# of the configuration is environment. How it is run: docs/deployment.md.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY . .
ARG REVISION=unknown
RUN --mount=type=cache,target=/root/.local/share/pnpm/store \
    node scripts/bootstrap.mjs && node_modules/.bin/node scripts/build.ts --out /out --commit "$REVISION"

FROM node:24.21.0-bookworm-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Sluice" \
      org.opencontainers.image.description="An issue becomes a tested branch, by way of a plan that a person approved." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# tini, because what a repository's commands leave behind becomes a child of the first process, which must bury it.
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap ca-certificates git tini \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 sluice \
    && useradd --uid 10001 --gid 10001 --create-home --shell /usr/sbin/nologin sluice \
    && install -d -o sluice -g sluice -m 0700 /var/lib/sluice
COPY --from=build /out /opt/sluice
# Node names the cache of compiled code after the user who uses it.
RUN cd /opt/sluice/compile-cache && for folder in *-0; do mv "$folder" "${folder%-0}-10001"; done
COPY LICENSE /opt/sluice/LICENSE
RUN ln -s /opt/sluice/sluice.js /usr/local/bin/sluice
# Threads for look-ups of the operator's hosts, which take half of them at most: docs/deployment.md.
ENV NODE_ENV=production \
    UV_THREADPOOL_SIZE=16 \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/var/lib/sluice
USER 10001:10001
WORKDIR /home/sluice
VOLUME /var/lib/sluice
EXPOSE 3000
STOPSIGNAL SIGTERM
# A start may wait five minutes for another process that migrates the database; it is healthy as soon as it answers.
HEALTHCHECK --interval=15s --timeout=5s --start-period=330s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "/opt/sluice/server.js"]
