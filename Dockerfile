FROM node:24-slim

WORKDIR /app
ENV NODE_ENV=production

# Pictures with words in them (audits, plots) are drawn with a font of the system; a slim image has none.
RUN apt-get update && apt-get install -y --no-install-recommends fonts-dejavu-core && rm -rf /var/lib/apt/lists/*

COPY package.json package-lock.json ./
COPY .patches .patches
RUN npm ci --omit=dev && npm cache clean --force

COPY . .
# The embedded database and other local data; everything else is read only for the bot.
RUN mkdir -p .data && chown node:node .data
USER node

# As `npm start` sets them: otherwise every thread keeps a heap of its own, and pictures leave holes in it, which are never
# given back. The buffers into which sockets are read, 64 kB each, stay below the mark: mapped one by one, they would
# cost every update a tenth more.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=98304
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/api/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# What `npm start` runs, without npm and a shell in between: they would not pass SIGTERM on, and the bot finishes
# its work before it stops. In a larger young generation less of what a hundred updates hold is copied about.
CMD ["node", "--max-semi-space-size=32", "--import", "tsx", "src/main.ts"]
