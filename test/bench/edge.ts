import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createBrotliCompress, constants } from "node:zlib";

const COMPRESSED = /^(?:text\/|application\/(?:json|javascript|manifest\+json|xml)|image\/svg)/;

/**
 * Stands in front of the built product, speaks HTTP/2 and compresses what Cloudflare's edge compresses, which the local runtime
 * doesn't, and leaves out what only a build with the sandbox has.
 * @param start starts the product, whose pages are served at this origin
 * @returns the product, the edge's origin, and a function that stops the edge
 */
export async function startEdge<App extends { origin: string }>(
  start: (publicUrl: string) => Promise<App>,
): Promise<{ app: App; origin: string; stop: () => void }> {
  const pem = (name: string) => readFileSync(new URL(`../fixtures/edge/${name}.pem`, import.meta.url));
  const server = createSecureServer({ key: pem("key"), cert: pem("certificate"), allowHTTP1: true });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `https://localhost:${port}`;
  const app = await start(origin);
  const target = new URL(app.origin);
  server.on("request", (incoming, outgoing) => forward(target, incoming, outgoing));
  server.on("upgrade", (incoming, socket, head) => {
    const upstream = connect(Number(target.port), target.hostname, () => {
      const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
      for (let index = 0; index < incoming.rawHeaders.length; index += 2)
        lines.push(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}`);
      upstream.write(`${lines.join("\r\n")}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  return { app, origin, stop: () => void server.close() };
}

function forward(target: URL, incoming: Http2ServerRequest, outgoing: Http2ServerResponse): void {
  const { hostname, port } = target;
  const { method, url: path } = incoming;
  const named = Object.entries(incoming.headers).filter(([name]) => !name.startsWith(":"));
  const headers = { ...Object.fromEntries(named), host: incoming.authority, "accept-encoding": "identity" };
  const upstream = request({ hostname, port, method, path, headers }, (response) => {
    // They speak of one connection, of which HTTP/2 has no need.
    const {
      connection: _connection,
      "transfer-encoding": _transfer,
      "keep-alive": _keep,
      ...given
    } = response.headers;
    const { "content-type": type = "", "content-encoding": encoding } = given;
    const status = response.statusCode ?? 502;
    if (encoding || !COMPRESSED.test(type)) {
      outgoing.writeHead(status, given);
      response.pipe(outgoing);
      return;
    }
    const { "content-length": _length, ...others } = given;
    outgoing.writeHead(status, { ...others, "content-encoding": "br" });
    const brotli = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    brotli.pipe(outgoing);
    if (type.startsWith("text/html")) void text(response).then((html) => brotli.end(withoutSandbox(html)));
    else response.pipe(brotli);
  });
  upstream.on("error", () => void outgoing.writeHead(502).end());
  incoming.pipe(upstream);
}

/** The page as a production build has it. */
function withoutSandbox(html: string): string {
  return html.replace(/<script src="\/sandbox\/[^>]*><\/script>/, "");
}
