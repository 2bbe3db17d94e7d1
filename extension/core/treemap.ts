/**
 * Blocks whose areas are as their weights, as near to squares as it goes (squarified treemap, after Bruls,
 * Huizing and van Wijk): a row takes further weights as long as its worst block becomes no longer and thinner.
 */

/** A rectangle. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Boxes that fill `room`, in the order of the weights, which are above 0 and best fall. */
export function treemap(weights: readonly number[], room: Box): Box[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total <= 0 || room.width <= 0 || room.height <= 0) {
    return weights.map(() => ({ x: room.x, y: room.y, width: 0, height: 0 }));
  }
  const scale = (room.width * room.height) / total;
  const areas = weights.map((weight) => weight * scale);
  const boxes: Box[] = [];
  let left = { ...room };
  for (let start = 0; start < areas.length;) {
    const side = Math.min(left.width, left.height);
    let end = start + 1;
    while (end < areas.length && worst(areas, start, end + 1, side) <= worst(areas, start, end, side)) {
      end += 1;
    }
    left = lay(areas.slice(start, end), left, boxes);
    start = end;
  }
  return boxes;
}

/** The longest shape among the blocks of a row along `side`, as the ratio of its sides. */
function worst(areas: readonly number[], start: number, end: number, side: number): number {
  const row = areas.slice(start, end);
  const sum = row.reduce((all, area) => all + area, 0);
  const depth = sum / side;
  return Math.max(...row.map((area) => Math.max((depth * depth) / area, area / (depth * depth))));
}

/** Lays a row along the shorter side; gives what is left of the room. */
function lay(row: readonly number[], room: Box, into: Box[]): Box {
  const sum = row.reduce((all, area) => all + area, 0);
  const isUpright = room.width >= room.height;
  const depth = sum / (isUpright ? room.height : room.width);
  let along = isUpright ? room.y : room.x;
  for (const area of row) {
    const length = area / depth;
    into.push(
      isUpright
        ? { x: room.x, y: along, width: depth, height: length }
        : { x: along, y: room.y, width: length, height: depth },
    );
    along += length;
  }
  return isUpright
    ? { ...room, x: room.x + depth, width: Math.max(0, room.width - depth) }
    : { ...room, y: room.y + depth, height: Math.max(0, room.height - depth) };
}
