/**
 * Says how long one extension held the extension host's thread. A timer cannot: it sees everybody's
 * work. A sampling CPU profile names the file of every frame, so a stretch of neighbouring samples with
 * a frame of the extension's folder in them is a time during which that extension held the thread.
 */

"use strict";

const { Session } = require("node:inspector/promises");

const SAMPLING_US = 200;
/** A thread that runs or waits is sampled on time; a longer gap is the machine running something else. */
const LONGEST_GAP_MS = 1;
/** Between two tasks the event loop is seen in one of these; a stretch ends there. */
const BETWEEN_TASKS = new Set(["(idle)", "(program)", "(root)"]);

function createProfiler() {
  let session;
  let worked;
  return {
    async start() {
      if (session) {
        return null;
      }
      session = new Session();
      session.connect();
      await session.post("Profiler.enable");
      await session.post("Profiler.setSamplingInterval", { interval: SAMPLING_US });
      await session.post("Profiler.start");
      worked = process.threadCpuUsage();
      return null;
    },
    /**
     * Longest stretch and sum, in ms, of the work with a frame under `folder`; the worst ones' frames; and how many
     * times longer all work of the thread took by the clock than by its processor time.
     */
    async stop(folder) {
      const { user, system } = process.threadCpuUsage(worked);
      const { profile } = await session.post("Profiler.stop");
      session.disconnect();
      session = undefined;
      const seen = summarize(profile, folder);
      return { ...seen, slowdown: Math.max(1, (1000 * seen.busyMs) / Math.max(1, user + system)) };
    },
  };
}

function summarize(profile, folder) {
  const owned = ownedNodes(profile.nodes, folder);
  const idle = new Set(
    profile.nodes.filter((node) => BETWEEN_TASKS.has(node.callFrame.functionName)).map((node) => node.id),
  );
  const leaves = new Map(profile.nodes.map((node) => [node.id, node.callFrame.functionName || "(anonymous)"]));
  const stretches = [];
  let stretch;
  let busy = 0;
  profile.samples.forEach((id, index) => {
    const ms = Math.min((profile.timeDeltas[index + 1] ?? 0) / 1000, LONGEST_GAP_MS);
    busy += idle.has(id) ? 0 : ms;
    if (owned.has(id)) {
      stretch ??= { ms: 0, frames: new Map() };
      stretch.ms += ms;
      const name = `${owned.get(id)} in ${leaves.get(id)}`;
      stretch.frames.set(name, (stretch.frames.get(name) ?? 0) + ms);
    } else if (stretch) {
      stretches.push(stretch);
      stretch = undefined;
    }
  });
  if (stretch) {
    stretches.push(stretch);
  }
  stretches.sort((a, b) => b.ms - a.ms);
  return {
    longestMs: stretches[0]?.ms ?? 0,
    totalMs: stretches.reduce((sum, { ms }) => sum + ms, 0),
    busyMs: busy,
    profiledMs: (profile.endTime - profile.startTime) / 1000,
    worst: stretches.slice(0, 5).map(({ ms, frames }) => ({
      ms,
      frames: [...frames]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 4)
        .map(([name, part]) => `${name} ${part.toFixed(1)} ms`),
    })),
  };
}

/** Node id to the name of the extension's innermost frame on that node's stack. */
function ownedNodes(nodes, folder) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const owned = new Map();
  const walk = (node, inherited) => {
    const { url, functionName, lineNumber, columnNumber } = node.callFrame;
    const here = url.includes(folder)
      ? `${functionName || "(anonymous)"}@${url.split("/").at(-1)}:${lineNumber}:${columnNumber}`
      : inherited;
    if (here) {
      owned.set(node.id, here);
    }
    for (const child of node.children ?? []) {
      walk(byId.get(child), here);
    }
  };
  walk(nodes[0], undefined);
  return owned;
}

module.exports = { createProfiler };
