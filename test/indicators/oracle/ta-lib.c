/*
 * Known answers of TA-Lib 0.4 (BSD licence; its C sources come with npm talib@2.0.5): a seeded walk of bars, and what
 * TA-Lib makes of it. Compiled and run once; its output is ta-lib.json.
 *
 *   cc -I include ta-lib.c libta.a -lm && ./a.out > ta-lib.json
 */
#include <stdio.h>
#include <stdint.h>
#include "ta_libc.h"

#define BARS 160

static double high[BARS], low[BARS], close_[BARS], volume[BARS];

static uint32_t state = 20240808;
static uint32_t draw(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

/* Prices on a tick of 0.5. Three bars in a hundred do not move at all, which no window here has more than two of. */
static void walk(void) {
  int price = 120000;
  for (int i = 0; i < BARS; i++) {
    int open = price;
    int isStill = i % 37 == 5 || i % 37 == 6;
    int drift = (i / 40) % 2 == 0 ? 3 : -3;
    int end = isStill ? open : open + drift + (int)draw(81) - 40;
    int top = (open > end ? open : end) + (isStill ? 0 : (int)draw(20));
    int bottom = (open < end ? open : end) - (isStill ? 0 : (int)draw(20));
    price = end;
    high[i] = top / 2.0;
    low[i] = bottom / 2.0;
    close_[i] = end / 2.0;
    volume[i] = isStill ? 0 : (1 + draw(5000)) / 100.0;
  }
}

static void numbers(const char *name, const double *of, int count, int begin, const char *end) {
  printf("  \"%s\": { \"begin\": %d, \"values\": [", name, begin);
  for (int i = 0; i < count; i++) printf("%s%.17g", i == 0 ? "" : ", ", of[i]);
  printf("] }%s\n", end);
}

static double a[BARS], b[BARS], c[BARS];
static int begin, count;

#define ONE(name, call) (call); numbers(name, a, count, begin, ",")
#define OUT 0, BARS - 1
#define TO &begin, &count, a

int main(void) {
  walk();
  TA_Initialize();
  printf("{\n");
  numbers("high", high, BARS, 0, ",");
  numbers("low", low, BARS, 0, ",");
  numbers("close", close_, BARS, 0, ",");
  numbers("volume", volume, BARS, 0, ",");
  ONE("EMA 12", TA_EMA(OUT, close_, 12, TO));
  ONE("EMA 26", TA_EMA(OUT, close_, 26, TO));
  ONE("WMA 9", TA_WMA(OUT, close_, 9, TO));
  ONE("RSI 14", TA_RSI(OUT, close_, 14, TO));
  ONE("ROC 10", TA_ROC(OUT, close_, 10, TO));
  ONE("STDDEV 20", TA_STDDEV(OUT, close_, 20, 1, TO));
  ONE("MAX 15", TA_MAX(OUT, high, 15, TO));
  ONE("MIN 15", TA_MIN(OUT, low, 15, TO));
  ONE("ATR 14", TA_ATR(OUT, high, low, close_, 14, TO));
  ONE("ATR 1", TA_ATR(OUT, high, low, close_, 1, TO));
  ONE("ADX 14", TA_ADX(OUT, high, low, close_, 14, TO));
  ONE("PLUS_DI 14", TA_PLUS_DI(OUT, high, low, close_, 14, TO));
  ONE("MINUS_DI 14", TA_MINUS_DI(OUT, high, low, close_, 14, TO));
  ONE("WILLR 14", TA_WILLR(OUT, high, low, close_, 14, TO));
  ONE("CCI 20", TA_CCI(OUT, high, low, close_, 20, TO));
  ONE("MFI 14", TA_MFI(OUT, high, low, close_, volume, 14, TO));
  ONE("OBV", TA_OBV(OUT, close_, volume, TO));
  ONE("SAR 0.02 0.2", TA_SAR(OUT, high, low, 0.02, 0.2, TO));
  TA_BBANDS(OUT, close_, 20, 2, 2, TA_MAType_SMA, &begin, &count, a, b, c);
  numbers("BBANDS 20 2 upper", a, count, begin, ",");
  numbers("BBANDS 20 2 middle", b, count, begin, ",");
  numbers("BBANDS 20 2 lower", c, count, begin, ",");
  TA_STOCH(OUT, high, low, close_, 14, 3, TA_MAType_SMA, 3, TA_MAType_SMA, &begin, &count, a, b);
  numbers("STOCH 14 3 3 k", a, count, begin, ",");
  numbers("STOCH 14 3 3 d", b, count, begin, "");
  printf("}\n");
  return 0;
}
