/* Estimates how many runs per side would decide a metric. Computes the power of the
 * verdict's rule for the observed difference and spread. */
#include <math.h>

#include "compare/effect_private.h"
#include "stats/mann_whitney.h"
#include "stats/power.h"

enum { USUAL_RUNS = 10, RUNS_MOST = 10000 };

static const double POWER = 0.8;

/* The assumed properties of further runs. */
struct outlook {
    const struct dj_effect_rules *rules;
    double shift;  /* Assumed difference of the logarithms, not negative. */
    double spread; /* Spread of the logarithms of the runs. */
    /* Variance of earlier batches' centres, or NaN if they are not used. */
    double between;
    /* True if a likely verdict does not decide the metric, so that a hard verdict is
     * needed. */
    bool hard_only;
};

struct chances {
    double direction; /* Chance of a verdict that names a direction. */
    double settled;   /* Chance of a verdict that names a direction or equivalence. */
};

/* Returns the probability of detecting a true difference with n runs per side, at
 * two-sided alpha. */
static double find_power(const struct outlook *outlook, double shift, size_t n,
                         double alpha)
{
    double size = (double)n;
    double variance = outlook->spread * outlook->spread / size;
    if (!isnan(outlook->between)) {
        double error = sqrt(2 * fmax(outlook->between, variance));
        return dj_power_of_t(shift / error, (double)(outlook->rules->past->count - 1),
                             alpha);
    }
    if (outlook->rules->kind == DJ_EFFECT_RATIO) {
        return dj_power_of_ranks(shift / outlook->spread, n, alpha);
    }
    bool possible = dj_mann_whitney_least_p(n, n) <= alpha;
    return possible ? dj_power_of_t(shift / sqrt(2 * variance), 2 * size - 2, alpha) : 0;
}

/* Returns the power of a hard verdict if p of the ranks cannot be small enough. The sides
 * must not overlap, and p of the t test must be small enough. In about half of all cases,
 * the observed spreads of few runs look unequal. In these cases the t test has fewer
 * degrees of freedom. */
static double find_apart_power(const struct outlook *outlook, size_t n)
{
    double df = (double)n - 1;
    double distance = outlook->shift / outlook->spread;
    double errors = distance * sqrt((double)n / 2);
    double alpha = DJ_EFFECT_APART_SHARE * outlook->rules->alpha;
    double t =
        (dj_power_of_t(errors, df, alpha) + dj_power_of_t(errors, 2 * df, alpha)) / 2;
    return isnan(outlook->between) ? fmin(t, dj_power_of_separation(distance, n)) : 0;
}

static double find_hard_power(const struct outlook *outlook, size_t n)
{
    double alpha = outlook->rules->alpha;
    if (outlook->rules->apart && isnan(outlook->between)) {
        /* dj_compare_verdict_cap() permits no hard verdict for these sides, so no number
         * of runs is enough. */
        return 0;
    }
    double beyond =
        find_power(outlook, outlook->shift - log1p(outlook->rules->margin), n, alpha);
    double sure = find_power(outlook, outlook->shift, n, DJ_EFFECT_HARD_SHARE * alpha);
    return fmin(beyond, fmax(sure, find_apart_power(outlook, n)));
}

static struct chances compute_chances(const struct outlook *outlook, size_t n)
{
    const struct dj_effect_rules *rules = outlook->rules;
    double margin = log1p(rules->margin);
    double level = 2 * rules->alpha_within;
    double below = find_power(outlook, margin - outlook->shift, n, level);
    double within =
        fmax(0, below + find_power(outlook, margin + outlook->shift, n, level) - 1);
    double direction =
        outlook->hard_only
            ? find_hard_power(outlook, n)
            : fmin(find_power(outlook, outlook->shift, n, rules->alpha), 1 - below);
    return (struct chances){direction, fmin(1, direction + within)};
}

/* Tries increasing numbers of runs. A binary search is not possible, because a small
 * difference may be significant with some runs and equivalent with more. */
static void search_runs(const struct outlook *outlook, size_t first,
                        struct dj_effect *effect)
{
    for (size_t n = first; n <= RUNS_MOST && isinf(effect->runs_needed);
         n += n < 40 ? 1 : n / 20) {
        struct chances chances = compute_chances(outlook, n);
        if (isinf(effect->runs_to_show) && chances.direction >= POWER) {
            effect->runs_to_show = (double)n;
        }
        if (chances.settled >= POWER) {
            effect->runs_needed = (double)n;
        }
    }
}

static bool is_settled(const struct dj_effect *effect, bool hard_only)
{
    return effect->verdict != DJ_VERDICT_INCONCLUSIVE &&
           !(hard_only && effect->verdict == DJ_VERDICT_LIKELY_REGRESSION);
}

void dj_compare_effect_set_runs(const struct dj_effect_rules *rules, double shift,
                                struct dj_effect *effect)
{
    double n = (double)(effect->n_a < effect->n_b ? effect->n_a : effect->n_b);
    bool worse = (shift > 0) != rules->more_is_better;
    struct outlook outlook = {.rules = rules,
                              .shift = fabs(shift),
                              .spread = fmax(effect->spread, 1e-12),
                              .between = effect->past_spread * effect->past_spread,
                              .hard_only = rules->likely_is_open && worse};
    effect->runs_needed = effect->runs_to_show = NAN;
    if (dj_compare_refusal_drops_out(effect->refusal) ||
        is_settled(effect, rules->likely_is_open)) {
        return;
    }
    if (isnan(effect->spread)) {
        effect->runs_needed = effect->runs_to_show = fmax(USUAL_RUNS, n + 1);
        return;
    }
    effect->runs_needed = effect->runs_to_show = INFINITY;
    search_runs(&outlook, (size_t)fmax(n + 1, DJ_EFFECT_RUNS_MIN), effect);
}
