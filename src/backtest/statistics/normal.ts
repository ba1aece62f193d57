/**
 * The standard normal distribution, to the precision of doubles.
 * Φ: W. J. Hart et al., "Computer Approximations" (1968), algorithm 5666, in the form of G. West, "Better
 * approximations to cumulative normal functions" (2005). Φ⁻¹: M. J. Wichura, AS 241 (1988), PPND16.
 */
const NUMERATOR = [
  0.0352624965998911, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
  221.213596169931, 220.206867912376,
] as const;
const DENOMINATOR = [
  0.0883883476483184, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831,
  793.826512519948, 440.413735824752,
] as const;
/** 10 / √2: from here on a continued fraction replaces the quotient. */
const FAR = 7.07106781186547;
const ROOT_OF_TWO_PI = Math.sqrt(2 * Math.PI);

/** P(Z ≤ z); NaN for NaN. */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return z;
  const size = Math.abs(z);
  let tail = 0;
  if (size <= 37) {
    const density = Math.exp((-size * size) / 2);
    if (size < FAR) {
      tail = (density * horner(NUMERATOR, size)) / horner(DENOMINATOR, size);
    } else {
      let fraction = size + 0.65;
      for (let k = 4; k >= 1; k--) fraction = size + k / fraction;
      tail = density / fraction / ROOT_OF_TWO_PI;
    }
  }
  return z > 0 ? 1 - tail : tail;
}

const CENTRAL_A = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
  1971.5909503065513, 133.14166789178438, 3.3871328727963665,
] as const;
const CENTRAL_B = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
] as const;
const MIDDLE_C = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
] as const;
const MIDDLE_D = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
] as const;
const TAIL_E = [
  2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
  0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
] as const;
const TAIL_F = [
  2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133,
  0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
] as const;

/** z with P(Z ≤ z) = p; ±∞ for 1 and 0, NaN outside. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * horner(CENTRAL_A, r)) / horner(CENTRAL_B, r);
  }
  const tail = q < 0 ? p : 1 - p;
  if (tail === 0) return q < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const r = Math.sqrt(-Math.log(tail));
  const size =
    r <= 5
      ? horner(MIDDLE_C, r - 1.6) / horner(MIDDLE_D, r - 1.6)
      : horner(TAIL_E, r - 5) / horner(TAIL_F, r - 5);
  return q < 0 ? -size : size;
}

/** Evaluates a polynomial; the coefficients begin with that of the highest power. */
function horner(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (const coefficient of coefficients) value = value * x + coefficient;
  return value;
}
