# syntax=docker/dockerfile:1
# One image for every role: ROLE=api serves requests, ROLE=worker works in the background. Settings: docs/configuration.md.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund && node scripts/building/build-page.mjs \
  && node scripts/building/build-service.ts node_modules/.service

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY . .
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force

FROM node:24-bookworm-slim
ENV NODE_ENV=production MODE=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data NODE_COMPILE_CACHE=/compiled
WORKDIR /app
COPY --from=dependencies /app ./
COPY --from=build /app/packages/web/dist ./packages/web/dist
COPY --from=build /app/node_modules/.service ./node_modules/.service
RUN install -d -o node -g node /data /compiled
# The root file system may be read-only: only the lock of the data directory is written.
VOLUME ["/data"]
USER node
# What is compiled here, by the same user, no start compiles again.
RUN ["node", "node_modules/.service/server/src/service.mjs"]
EXPOSE 4000
# A process that waits for its database still responds, and a restart would not help it. Balancers check /health/ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "node_modules/.service/server/src/main.mjs"]
