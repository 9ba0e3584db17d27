import type { SQLInputValue } from "node:sqlite";
import type { ObjectLife } from "./object-life.ts";
import type { ServerSocket } from "../host/sockets.ts";
import type { ObjectDatabase } from "../host/storage.ts";

type ContextDeps = {
  database: ObjectDatabase;
  objectName: string;
  /** A life that was replaced wanted to write. */
  onFenced: () => void;
  onAlarmWritten: () => void;
  crash: () => void;
  /** Lets a frame leave the object once all that was written so far is durable. */
  leave: (deliver: () => void) => void;
  accept: (socket: ServerSocket) => void;
  openSockets: () => readonly ServerSocket[];
};

/** The runtime's environment for one life of the object: its storage, its sockets, and the lock of its constructor. */
export function createObjectContext(
  life: ObjectLife,
  { database, objectName, onFenced, onAlarmWritten, crash, leave, accept, openSockets }: ContextDeps,
): DurableObjectState {
  const check = () => {
    if (!life.isAlive) throw new Error("this life is over");
  };
  const checkWrite = () => {
    check();
    if (life.isCurrent) return;
    onFenced();
    throw new Error("replaced by another instance");
  };
  const storage = {
    sql: {
      exec: (query: string, ...bindings: SQLInputValue[]) => {
        if (/^\s*SELECT/i.test(query)) check();
        else checkWrite();
        const rows = database.exec(query, bindings);
        return {
          toArray: () => rows,
          [Symbol.iterator]: () => rows.values(),
          one: () => {
            if (rows.length !== 1) throw new Error("expected one row");
            return rows[0];
          },
        };
      },
    },
    transactionSync: <Result>(work: () => Result) => {
      checkWrite();
      return database.transaction(work);
    },
    getAlarm: async () => database.alarm,
    setAlarm: async (at: number | Date) => {
      checkWrite();
      onAlarmWritten();
      database.setAlarm(Number(at));
    },
    deleteAlarm: async () => {
      checkWrite();
      onAlarmWritten();
      if (database.alarm !== null) database.setAlarm(null);
    },
    deleteAll: async () => {
      checkWrite();
      database.deleteAll();
    },
  };
  const context = {
    id: { name: objectName, toString: () => objectName },
    storage,
    waitUntil: () => {},
    blockConcurrencyWhile: async <Result>(work: () => Promise<Result>) => {
      life.locks += 1;
      try {
        return await work();
      } catch (error) {
        crash();
        throw error;
      } finally {
        life.locks -= 1;
        if (life.locks === 0) for (const run of life.waiting.splice(0)) run();
      }
    },
    setWebSocketAutoResponse: () => {},
    acceptWebSocket: (socket: ServerSocket) => {
      socket.leave = leave;
      accept(socket);
    },
    getWebSockets: () =>
      openSockets().map((socket) => {
        socket.leave = leave;
        return socket;
      }),
  };
  // A stand-in is only as much of the binding as the product uses.
  return context as unknown as DurableObjectState;
}
