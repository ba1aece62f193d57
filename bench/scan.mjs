// The floor: one loop over the columns, both averages as running sums, a fill at each crossing. No engine, no orders.
export function scan({ count, price }) {
  const ring10 = new Float64Array(10);
  const ring30 = new Float64Array(30);
  let sum10 = 0;
  let sum30 = 0;
  let at10 = 0;
  let at30 = 0;
  let side = 0;
  let position = 0;
  let cash = 0;
  let crosses = 0;
  for (let i = 0; i < count; i++) {
    const p = price[i];
    sum10 += p - ring10[at10];
    ring10[at10] = p;
    if (++at10 === 10) at10 = 0;
    sum30 += p - ring30[at30];
    ring30[at30] = p;
    if (++at30 === 30) at30 = 0;
    if (i < 29) continue;
    const now = sum10 * 3 > sum30 ? 1 : -1;
    if (now === side) continue;
    side = now;
    crosses++;
    if (now > 0 && position === 0) {
      position = 1;
      cash -= p;
    } else if (now < 0 && position === 1) {
      position = 0;
      cash += p;
    }
  }
  return { crosses, cash };
}
