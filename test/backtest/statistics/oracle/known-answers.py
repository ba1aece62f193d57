"""Known answers for the statistics of a backtest, by numpy, scipy and pandas (Debian: python3-scipy python3-pandas).

Run: /usr/bin/python3 test/backtest/statistics/oracle/known-answers.py > test/backtest/statistics/oracle/known-answers.json
"""
import itertools
import json
import sys

import numpy as np
import pandas as pd
from scipy import stats

P = 365
rng = np.random.default_rng(20260801)
# Fat tails, a drift and some autocorrelation; rounded so that JSON holds them exactly.
noise = stats.t.rvs(5, size=400, random_state=rng) * 0.01
returns = np.round(0.0008 + noise + 0.15 * np.r_[0, noise[:-1]], 8)
market = np.round(0.0004 + 0.5 * noise + rng.normal(0, 0.012, 400), 8)
r, b = pd.Series(returns), pd.Series(market)
equity = pd.concat([pd.Series([1.0]), (1 + r).cumprod()], ignore_index=True)
rf = 1.03 ** (1 / P) - 1


def sharpe(x, rate=0.0):
    return (x - rate).mean() / (x - rate).std(ddof=1)


def sortino(x, rate=0.0):
    e = x - rate
    return e.mean() / np.sqrt((np.minimum(e, 0) ** 2).sum() / len(e))


def penalty(x):
    rho = abs(np.corrcoef(x[:-1], x[1:])[0, 1])
    n = len(x)
    return np.sqrt(1 + 2 * sum(((n - k) / n) * rho**k for k in range(1, n)))


def psr(sr, bench, n, skew, kurt):
    return stats.norm.cdf((sr - bench) * np.sqrt(n - 1) / np.sqrt(1 - skew * sr + (kurt - 1) / 4 * sr**2))


def lucky(n, v):
    g = 0.5772156649
    return np.sqrt(v) * ((1 - g) * stats.norm.ppf(1 - 1 / n) + g * stats.norm.ppf(1 - 1 / (n * np.e)))


def pbo(matrix, s):
    """matrix: trials x returns."""
    blocks = np.array_split(np.arange(matrix.shape[1]), s)
    # our block bounds: floor(i * length / s)
    bounds = [i * matrix.shape[1] // s for i in range(s + 1)]
    blocks = [np.arange(bounds[i], bounds[i + 1]) for i in range(s)]
    bad = total = 0
    for chosen in itertools.combinations(range(s), s // 2):
        inside = np.concatenate([blocks[i] for i in chosen])
        outside = np.concatenate([blocks[i] for i in range(s) if i not in chosen])
        si = [sharpe(pd.Series(row[inside])) for row in matrix]
        so = [sharpe(pd.Series(row[outside])) for row in matrix]
        rank = stats.rankdata(so)[int(np.argmax(si))]
        bad += rank / (len(matrix) + 1) <= 0.5
        total += 1
    return bad / total


dd = equity / equity.cummax() - 1
var = stats.norm.ppf(0.05, r.mean(), r.std(ddof=1))
hist = r.quantile(0.05)
beta, alpha = np.polyfit(b, r, 1)
trials = np.round(rng.normal(0.0005, 0.01, (12, 96)) + np.linspace(-0.001, 0.001, 12)[:, None], 8)
z = [-38.0, -20.0, -8.3, -6.0, -3.5, -1.0, -0.3, 0.0, 0.1, 1.0, 1.959963984540054, 3.0, 5.0, 7.2, 9.0]
p = [1e-300, 1e-20, 1e-9, 1e-4, 0.01, 0.05, 0.075, 0.3, 0.5, 0.6, 0.925, 0.975, 0.999, 1 - 1e-9]

json.dump(
    {
        "returns": returns.tolist(),
        "market": market.tolist(),
        "normalCdf": [[x, stats.norm.cdf(x)] for x in z],
        "normalQuantile": [[x, stats.norm.ppf(x)] for x in p],
        "mean": r.mean(),
        "standardDeviation": r.std(ddof=1),
        "skewness": stats.skew(returns),
        "kurtosis": stats.kurtosis(returns, fisher=False),
        "quantiles": [[q, r.quantile(q)] for q in (0, 0.05, 0.333, 0.5, 0.95, 1)],
        "correlation": float(np.corrcoef(returns, market)[0, 1]),
        "volatility": r.std(ddof=1) * np.sqrt(P),
        "sharpe": sharpe(r) * np.sqrt(P),
        "sharpeOver3Percent": sharpe(r, rf) * np.sqrt(P),
        "sortino": sortino(r) * np.sqrt(P),
        "sortinoOver3Percent": sortino(r, rf) * np.sqrt(P),
        "autocorrelationPenalty": penalty(returns),
        "annualGrowth": equity.iloc[-1] ** (365 / 400) - 1,
        "maxDrawdown": dd.min(),
        "ulcerIndex": np.sqrt((dd.iloc[1:] ** 2).sum() / (len(r) - 1)),
        "omega": r[r > 0].sum() / -r[r < 0].sum(),
        "gainToPain": r.sum() / -r[r < 0].sum(),
        "tailRatio": abs(r.quantile(0.95) / r.quantile(0.05)),
        "normalVar": var,
        "historicalVar": hist,
        "expectedShortfall": r[r < var].mean(),
        "historicalShortfall": r[r < hist].mean(),
        "probabilisticSharpe": psr(sharpe(r), 0, len(r), stats.skew(returns), stats.kurtosis(returns, fisher=False)),
        "deflatedSharpe": psr(
            sharpe(r), lucky(50, 0.002), len(r), stats.skew(returns), stats.kurtosis(returns, fisher=False)
        ),
        "luckySharpe": [[n, v, lucky(n, v)] for n, v in ((2, 0.01), (50, 0.002), (1000, 1 / 364))],
        "beta": beta,
        "alpha": alpha * P,
        "informationRatio": (r - b).mean() / (r - b).std(ddof=1),
        "rollingSharpe180": (r.rolling(180).mean() / r.rolling(180).std(ddof=1) * np.sqrt(P)).dropna().tolist(),
        "trials": trials.tolist(),
        "overfittingProbability": pbo(trials, 8),
    },
    sys.stdout,
)
sys.stdout.write("\n")
