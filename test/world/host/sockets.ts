import type { Life } from "../timeline.ts";

type End = {
  onMessage: (text: string) => void;
  onClose: (code: number) => void;
  server: ServerSocket | null;
};

/** The object's end of a dashboard's WebSocket. It outlives an eviction, but no crash. */
export class ServerSocket {
  readyState = 1;
  /** Set when the object accepts it: takes a frame through the output gate. */
  leave: (deliver: () => void) => void = (deliver) => deliver();
  #attachment = "null";
  readonly #client: End;

  constructor(client: End) {
    this.#client = client;
  }

  send(text: string): void {
    this.leave(() => {
      if (this.readyState === 1) this.#client.onMessage(text);
    });
  }

  close(code = 1000): void {
    this.leave(() => this.cut(code));
  }

  /** Ends the connection at once. */
  cut(code: number): void {
    if (this.readyState !== 1) return;
    this.readyState = 3;
    this.#client.onClose(code);
  }

  serializeAttachment(value: unknown): void {
    this.#attachment = JSON.stringify(value);
  }

  deserializeAttachment(): unknown {
    return JSON.parse(this.#attachment);
  }
}

/** Index 0 is the client's end, 1 the server's. */
export class SimulatedSocketPair {
  readonly 0: End;
  readonly 1: ServerSocket;

  constructor() {
    const client: End = { onMessage: () => {}, onClose: () => {}, server: null };
    this[0] = client;
    this[1] = new ServerSocket(client);
    client.server = this[1];
  }
}

/** The object's view of its sockets. */
export type AcceptedSocket = { socket: ServerSocket; acceptedBy: Life };
