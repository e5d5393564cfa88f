# The executable alone, on a system with nothing but glibc, certificates and a shell.
# docker build -t holdall . && docker run -p 8080:8080 -v "$PWD/files:/files" -v holdall-data:/data holdall
FROM node:24-trixie AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run package && mv out/holdall-linux-* /holdall

FROM debian:trixie-slim
# It confines the commands of people (--enable-exec); without it only administrators run commands.
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 1000 --shell /usr/sbin/nologin holdall \
 && install --directory --owner=holdall --mode=0700 /data \
 && install --directory --owner=holdall /files
COPY --from=build /holdall /usr/local/bin/holdall
USER holdall
EXPOSE 8080
VOLUME ["/data", "/files"]
ENV HOLDALL_ADDRESS=0.0.0.0 HOLDALL_PORT=8080 HOLDALL_ROOT=/files HOLDALL_DATABASE=/data/holdall.json
HEALTHCHECK --interval=30s --timeout=10s CMD ["/usr/local/bin/holdall", "--health"]
ENTRYPOINT ["/usr/local/bin/holdall"]
