/**
 * What is said about steps that are going on: on a terminal one line that is rewritten and names all of them;
 * elsewhere a line for each at start, now and then, and at the end.
 */

const NAME_WIDTH = 18;
/** Where there is no terminal to rewrite a line in, a long step says this often that it lives. */
const HEARTBEAT_MS = 30_000;
const REWRITE_MS = 80;

export function createScreen() {
  return process.stdout.isTTY ? rewriting() : appending();
}

function rewriting() {
  const going = new Set();
  let shown = 0;
  const rewrite = () => {
    if (going.size > 0 && Date.now() - shown > REWRITE_MS) {
      process.stdout.write(`\r\x1b[2K${[...going].map(shared).join(" ")}`);
      shown = Date.now();
    }
  };
  const shared = ({ name, started, text }) => {
    const width = Math.floor(((process.stdout.columns ?? 80) - 1) / going.size) - 1;
    return `… ${name.padEnd(NAME_WIDTH)} ${seconds(started)}  ${text}`.slice(0, width).padEnd(width);
  };
  return {
    open(name, started) {
      const line = { name, started, text: "" };
      const timer = setInterval(rewrite, 500);
      return {
        progress(text) {
          line.text = text;
          going.add(line);
          rewrite();
        },
        end(mark, text) {
          clearInterval(timer);
          going.delete(line);
          process.stdout.write("\r\x1b[2K");
          console.log(ending(mark, name, text));
        },
      };
    },
  };
}

function appending() {
  return {
    open(name, started) {
      let last = "";
      let shown = 0;
      const show = (text) => {
        last = text;
        const now = Date.now();
        if (shown === 0 || now - shown >= HEARTBEAT_MS) {
          console.log(
            `… ${name.padEnd(NAME_WIDTH)} ${shown === 0 ? text : `${seconds(started)}  ${text}`}`.slice(0, 160),
          );
          shown = now;
        }
      };
      const timer = setInterval(() => last && show(last), HEARTBEAT_MS);
      return {
        progress: show,
        end(mark, text) {
          clearInterval(timer);
          console.log(ending(mark, name, text));
        },
      };
    },
  };
}

function ending(mark, name, text) {
  return `${mark} ${name.padEnd(NAME_WIDTH)} ${text}`;
}

export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
