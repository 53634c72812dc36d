# The two steps of `make demo` on a bare Debian 12: docker build -t hornbeam . && docker run --rm -v "$PWD/out:/out" hornbeam
FROM debian:12-slim

# The packages of a release of Debian change by fixes only, and an old fix is not kept.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates gcc git libc6-dev make python3 python3-dev python3-venv \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /hornbeam
COPY . .
RUN make setup

ENV PATH="/hornbeam/.venv/bin:$PATH"
CMD ["hornbeam", "demo", "--out", "/out"]
