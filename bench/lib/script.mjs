/** A game of Unreal Engine in AngelScript, made up: its index, calls about it, letters typed into a long script (AS1). */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { inBatch } from "./binary.mjs";
import { dice, json, quantile } from "./measure.mjs";
import { digits, row } from "./report.mjs";

const FILES = 15_000;
/** Classes above the rest, from which most derive. */
const BASES = 600;
const IN_FOLDER = 60;
const MEMBERS = 6;
const METHODS = 3;
const PAGE = 50;
/** The files that use a class and its method so often each, as hub.mjs has it for other languages. */
const AROUND = { files: 2_000, uses: 10 };
const LONG_LINES = 3_000;

const WORDS = (
  "Lamp Ladder Door Rope Wheel Crane Bridge Turret Gate Valve Pump Engine Boat Train Lift Switch Beam Mirror Crystal Shield " +
  "Drone Spider Hawk Wolf Guard Pilot Miner Diver Cook Smith Tower Cave Swamp Desert Harbour Market Temple Garden Forge Mill"
).split(" ");
const VERBS = "Open Close Raise Lower Spin Charge Drain Aim Fire Reload Follow Hide Reveal Attach Release Sound".split(
  " ",
);
const TYPES = ["float", "int", "bool", "FVector", "FName", "FRotator"];
const VALUES = {
  float: "1.5",
  int: "4",
  bool: "false",
  FVector: "FVector(0, 0, 5)",
  FName: 'n"Idle"',
  FRotator: "FRotator()",
};

const nameOf = (file) => `A${WORDS[file % WORDS.length]}${WORDS[(file * 7 + 3) % WORDS.length]}${file}`;
const member = (file, at) => `${WORDS[(file + at * 3) % WORDS.length]}${at}`;
const method = (file, at) => `${VERBS[(file + at) % VERBS.length]}${WORDS[(file * 3 + at) % WORDS.length]}`;
/** The first class is the base of all that have no other. */
const baseOf = (file, roll) => (file === 0 ? "AActor" : nameOf(file < 60 ? 0 : roll(Math.min(file, BASES))));

/** What every file uses, and what those of `AROUND` use too. */
const EVERYWHERE = 0;
const NEAR = 1;

/** A script: a class with an enum, a struct, an event, members and methods that use its base and other classes. */
function script(file, visits = false) {
  const roll = dice(Math.imul(file + 1, 0x9e3779b1));
  const name = nameOf(file);
  const short = name.slice(1);
  const other = roll(FILES);
  const types = Array.from({ length: MEMBERS }, (_, at) => TYPES[(file + at) % TYPES.length]);
  const members = types.map(
    (type, at) =>
      `    // How far the ${WORDS[at]} goes before the ${WORDS[file % WORDS.length]} gives way, as designers set it.\n` +
      `    UPROPERTY(EditAnywhere, Category = "${WORDS[at]}")\n    ${type} ${member(file, at)} = ${VALUES[type]};\n`,
  );
  return (
    `enum E${short}State\n{\n    Idle,\n    Busy,\n    Done,\n}\n\n` +
    `event void F${short}Changed(${name} Sender, int Count);\n\n` +
    `/// Of the ${WORDS[file % WORDS.length]} in the level.\nUCLASS(Abstract)\nclass ${name} : ${baseOf(file, roll)}\n{\n` +
    `    UPROPERTY()\n    F${short}Changed OnChanged;\n    E${short}State State = E${short}State::Idle;\n    ${nameOf(EVERYWHERE)} Hub;\n\n` +
    `${members.join("\n")}\n` +
    `${Array.from({ length: METHODS }, (_, at) => body(file, at, other, types)).join("\n")}` +
    `${visits ? visit() : ""}` +
    `#if EDITOR\n    UFUNCTION(CallInEditor)\n    void Preview${file % 10}()\n    {\n        Print(f"{${member(file, 0)}}");\n    }\n#endif\n}\n`
  );
}

function body(file, at, other, types) {
  const [own, next] = [member(file, at), member(file, (at + 1) % MEMBERS)];
  const target = `Target${at}`;
  return (
    `    // What a frame asks for while the ${WORDS[at]} is near: nothing of it is replicated.\n    UFUNCTION(${at % 3 === 0 ? "BlueprintCallable" : "NotBlueprintCallable"})\n` +
    `    void ${method(file, at)}(${nameOf(other)} ${target}, float DeltaSeconds)\n    {\n` +
    `        if (${target} == nullptr || State == E${nameOf(file).slice(1)}State::Done)\n            return;\n` +
    `        ${types[at % MEMBERS]} Before = ${own};\n        ${own} = Before;\n` +
    `        for (int Index = 0; Index < ${at + 2}; ++Index)\n        {\n` +
    `            ${target}.${method(other, at)}(${target}, DeltaSeconds * Index);\n            Hub.${method(EVERYWHERE, 0)}(nullptr, 0.1);\n        }\n` +
    `        auto Copy = ${target}.${member(other, at)};\n        this.${next} = this.${next};\n` +
    `        OnChanged.Broadcast(this, ${at});\n    }\n`
  );
}

/** Each parameter uses the class, each line the method. */
function visit() {
  const visited = Array.from({ length: AROUND.uses }, (_, at) => `Visited${at}`);
  const parameters = visited.map((name) => `${nameOf(NEAR)} ${name}`).join(", ");
  const calls = visited.map((name) => `        ${name}.${method(NEAR, 0)}(nullptr, 0.1);\n`).join("");
  return `    void Visit(${parameters})\n    {\n${calls}    }\n`;
}

/** Writes the game; how many bytes it has. */
function makeGame(root) {
  rmSync(root, { recursive: true, force: true });
  let bytes = 0;
  for (let file = 0; file < FILES; file += 1) {
    const folder = join(root, "Script", `Area${Math.floor(file / IN_FOLDER)}`);
    if (file % IN_FOLDER === 0) {
      mkdirSync(folder, { recursive: true });
    }
    const text = script(file, file > NEAR && file <= NEAR + AROUND.files);
    bytes += text.length;
    writeFileSync(join(folder, `${nameOf(file).slice(1)}.as`), text);
  }
  return bytes;
}

/** A script of so many lines, alone in a folder. */
function makeLong(root) {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  let text = "";
  for (let file = 0; text.split("\n").length < LONG_LINES; file += 1) {
    text += script(file);
  }
  writeFileSync(join(root, "Long.as"), text);
}

/** Every figure about the game. */
export async function scripts({ cache, quick, ...context }) {
  const root = join(cache, "script-game");
  const bytes = makeGame(root);
  const indexed = index(context, root, bytes, quick ? 1 : 3);
  const asked = await calls(context, root, quick ? 60 : 200);
  rmSync(root, { recursive: true });
  const typed = letters(context, join(cache, "script-long"), quick ? 20 : 100);
  return {
    rows: [...indexed.rows, ...asked.rows, ...typed.rows],
    raw: { bytes, indexed: indexed.raw, asked: asked.raw, typed: typed.raw },
  };
}

function index({ binary, environment }, root, bytes, rounds) {
  const args = ["index", "--root", root, "--stats", "json", "--no-cache"];
  const runs = Array.from({ length: rounds }, () => json(binary, args, { env: environment }));
  const [{ files, lines, symbols }] = runs;
  const of = `${files} scripts, ${digits(bytes / 1e6)} MB`;
  return {
    rows: [
      row({
        section: "scripts",
        what: `\`codecortex index\`, ${of}, no cache`,
        values: runs.map((run) => run.cpuMs.total / 1e3),
        unit: "s cpu",
        target: ["≤", 13],
        beside: `${digits(runs[0].ms.total / 1e3)} s on the wall`,
        note: `${lines} lines, ${symbols} symbols`,
      }),
      row({
        section: "",
        what: "the same, peak RSS",
        values: runs.map((run) => run.peakRssBytes / 1e6),
        unit: "MB",
        target: ["≤", 250],
      }),
    ],
    raw: runs,
  };
}

async function calls(context, root, count) {
  const roll = dice(7);
  const any = () => roll(FILES);
  const questions = {
    hierarchy: [10, () => ["angelscript_getClassHierarchy", { name: nameOf(any()) }]],
    members: [10, () => ["angelscript_getTypeMembers", { name: nameOf(any()), includeInherited: true }]],
    "references of a method": [
      20,
      () => ["codecortex_findReferences", { symbol: ofClass(method, METHODS, any(), roll) }],
    ],
    "references of a property": [
      20,
      () => ["codecortex_findReferences", { symbol: ofClass(member, MEMBERS, any(), roll) }],
    ],
    "references of a class": [20, () => ["codecortex_findReferences", { symbol: nameOf(BASES + roll(FILES - BASES)) }]],
  };
  const rows = [];
  const raw = {};
  const tell = (what, times, most, beside) => {
    raw[what] = times.map(({ wall, own, cpu }) => ({ wall, own, cpu }));
    // of the program's main thread, where the system tells
    const spent = times.map(({ wall, cpu }) => cpu || wall);
    const wall = `${digits(
      quantile(
        times.map(({ wall }) => wall),
        0.95,
      ),
    )} ms on the wall`;
    const shown = quantile(spent, 0.95);
    rows.push(
      row({ section: "", what, values: spent, shown, unit: "ms", target: ["≤", most], beside: `${beside}${wall}` }),
    );
  };
  await inBatch(context, root, async (ask) => {
    const answered = answering(ask);
    for (const [what, [most, question]] of Object.entries(questions)) {
      const times = [];
      for (let at = 0; at < count; at += 1) {
        times.push(await answered(...question()));
      }
      const beside = `p50 ${digits(
        quantile(
          times.map(({ cpu, wall }) => cpu || wall),
          0.5,
        ),
      )} ms; `;
      tell(`${what}, p95`, times, most, beside);
    }
    const where = "used in every file of the game";
    await firstPages(answered, EVERYWHERE, where, (what, page) => tell(what, [page], 50, ""));
  });
  // what every file uses leaves little to do for what some use
  await inBatch(context, root, async (ask) => {
    const answered = answering(ask);
    await answered("codecortex_findReferences", { symbol: ofClass(method, METHODS, any(), roll) });
    const where = `used in ${AROUND.files} files`;
    await firstPages(answered, NEAR, where, (what, page) => tell(what, [page], 50, ""));
  });
  return { rows, raw };
}

/** Asks; an error ends the measurement. */
function answering(ask) {
  return async (tool, args) => {
    const given = await ask(1, tool, args);
    if (!given.answer.result.ok) {
      throw new Error(`${tool} ${JSON.stringify(args)}: ${JSON.stringify(given.answer.result.error)}`);
    }
    return given;
  };
}

/** The first page of uses of a file's class, and of a method of it. */
async function firstPages(answered, file, where, tell) {
  for (const [kind, symbol] of [
    ["class", nameOf(file)],
    ["method", `${nameOf(file)}.${method(file, 0)}`],
  ]) {
    const page = await answered("codecortex_findReferences", { symbol, limit: PAGE });
    tell(`a ${kind} with ${page.answer.result.data.total} uses, ${where}, the first ${PAGE}`, page);
  }
}

function ofClass(name, count, file, roll) {
  return `${nameOf(file)}.${name(file, roll(count))}`;
}

/** Letters typed into a script of 3,000 lines, until its facts and hashes are there. */
function letters({ bench, environment }, root, edits) {
  makeLong(root);
  const { facts } = json(bench, ["keystroke", root, "--edits", String(edits)], { env: environment });
  rmSync(root, { recursive: true });
  const rows = facts
    .filter(({ what }) => what.startsWith("the largest"))
    .map(({ bytes, wholeMs, parseMs }) =>
      row({
        section: "",
        what: `a letter in a script of ${LONG_LINES} lines, ${digits(bytes / 1e3)} kB: facts and hashes, p95`,
        values: [wholeMs.min, wholeMs.p50, wholeMs.max],
        shown: wholeMs.p95,
        unit: "ms cpu",
        target: ["≤", 1.5],
        beside: `p50 ${digits(wholeMs.p50)} ms; tree-sitter's incremental parse p50 ${digits(parseMs.p50)} ms`,
      }),
    );
  return { rows, raw: facts };
}
