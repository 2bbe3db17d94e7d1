import { describe, expect, it } from "vitest";

import { treemap } from "../../../extension/core/treemap";

const ROOM = { x: 4, y: 2, width: 200, height: 90 };

/** Always the same weights for a seed. */
function weights(seed: number, count: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 1 + (state % 900);
  }).sort((a, b) => b - a);
}

describe("treemap", () => {
  it("lays the example of its inventors as they do", () => {
    const boxes = treemap([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 });
    const rounded = boxes.map(({ x, y, width, height }) => [x, y, width, height].map((n) => Math.round(n * 100) / 100));
    expect(rounded).toEqual([
      [0, 0, 3, 2],
      [0, 2, 3, 2],
      [3, 0, 1.71, 2.33],
      [4.71, 0, 1.29, 2.33],
      [3, 2.33, 1.2, 1.67],
      [4.2, 2.33, 1.2, 1.67],
      [5.4, 2.33, 0.6, 1.67],
    ]);
  });

  it.each([1, 2, 3, 7, 40, 200])("fills the room with areas as the weights, %i of them", (count) => {
    const given = weights(count, count);
    const total = given.reduce((sum, weight) => sum + weight, 0);
    const boxes = treemap(given, ROOM);
    boxes.forEach(({ x, y, width, height }, place) => {
      expect(width * height).toBeCloseTo(((given[place] ?? 0) / total) * ROOM.width * ROOM.height, 4);
      expect(x).toBeGreaterThanOrEqual(ROOM.x - 1e-6);
      expect(y).toBeGreaterThanOrEqual(ROOM.y - 1e-6);
      expect(x + width).toBeLessThanOrEqual(ROOM.x + ROOM.width + 1e-6);
      expect(y + height).toBeLessThanOrEqual(ROOM.y + ROOM.height + 1e-6);
    });
    const overlap = boxes.some((a, at) =>
      boxes
        .slice(at + 1)
        .some(
          (b) =>
            a.x + a.width > b.x + 1e-6 &&
            b.x + b.width > a.x + 1e-6 &&
            a.y + a.height > b.y + 1e-6 &&
            b.y + b.height > a.y + 1e-6,
        ),
    );
    expect(overlap).toBe(false);
  });

  it("has blocks without size where there is no room or no weight", () => {
    expect(treemap([3, 4], { x: 0, y: 0, width: 0, height: 90 })).toMatchObject([{ width: 0 }, { width: 0 }]);
    expect(treemap([], ROOM)).toEqual([]);
    expect(treemap([0], ROOM)).toMatchObject([{ width: 0, height: 0 }]);
  });
});
