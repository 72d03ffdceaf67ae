# The memory as a server, without root and without anything that is built beside it.
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE CHANGELOG.md ./
COPY agentmem agentmem
COPY workers workers
COPY evals evals
COPY personas personas
COPY scenarios scenarios
RUN python -m venv /opt/agentmem && /opt/agentmem/bin/pip install --no-cache-dir ".[server,postgres,documents]"

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 agentmem && install -d -o agentmem -m 700 /data
COPY --from=build /opt/agentmem /opt/agentmem
ENV PATH=/opt/agentmem/bin:$PATH AGENTMEM_DATA=/data
USER agentmem
WORKDIR /home/agentmem
VOLUME /data
EXPOSE 8420
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["python", "-c", \
  "from urllib.request import urlopen; urlopen('http://127.0.0.1:8420/healthz', timeout=2)"]
ENTRYPOINT ["agentmem"]
CMD ["serve", "--host", "0.0.0.0"]
