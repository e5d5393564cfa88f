# The executable alone, on a system with nothing but glibc, certificates and a shell.
# docker build -t holdall . && docker run -p 8080:8080 -v "$PWD/files:/files" -v holdall-data:/data holdall
FROM node:24-trixie AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run package && mv out/holdall-linux-* /holdall

FROM debian:trixie-slim
RUN useradd --system --uid 1000 --shell /usr/sbin/nologin holdall \
 && install --directory --owner=holdall --mode=0700 /data \
 && install --directory --owner=holdall /files
COPY --from=build /holdall /usr/local/bin/holdall
USER holdall
EXPOSE 8080
VOLUME ["/data", "/files"]
ENTRYPOINT ["/usr/local/bin/holdall", "--address", "0.0.0.0", "--port", "8080", "--root", "/files", "--database", "/data/holdall.json"]
