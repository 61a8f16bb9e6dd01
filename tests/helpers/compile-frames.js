import { deserialize, serialize } from 'node:v8';

/** Send a message by a socket: its length, then its bytes. */
export function send(socket, message) {
  const bytes = serialize(message);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  socket.write(Buffer.concat([length, bytes]));
}

/** Call a function with each message that comes by a socket. */
export function receive(socket, take) {
  let pieces = Buffer.alloc(0);
  socket.on('data', (piece) => {
    pieces = Buffer.concat([pieces, piece]);
    while (pieces.length >= 4 && pieces.length >= 4 + pieces.readUInt32LE()) {
      const end = 4 + pieces.readUInt32LE();
      take(deserialize(pieces.subarray(4, end)));
      pieces = pieces.subarray(end);
    }
  });
}
