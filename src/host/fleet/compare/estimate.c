#include <math.h>
#include <stdlib.h>

#include "fleet/compare.h"
#include "memory/memory.h"
#include "stats/rate_ratio.h"

enum { EDGES = DJ_FRAME_BUCKETS + 1, LAST_BUCKET_MS = 50 };

/* What one metric needs of each model: shares of both versions. A model that does not
 * know the metric is omitted. */
struct shares {
    const struct dj_fleet_model **models;
    double *weight; /* Weight of each model. The weights have the sum 1. */
    double *value;  /* Scratch memory for one value per model. */
    size_t count;
};

static struct shares choose_models(const struct dj_fleet_model *models, size_t count,
                                   size_t known)
{
    struct shares shares = {.models = dj_xcalloc(count + 1, sizeof(*shares.models)),
                            .weight = dj_xcalloc(count + 1, sizeof(double)),
                            .value = dj_xcalloc(count + 1, sizeof(double))};
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_known = true;
        for (size_t side = 0; side < DJ_FLEET_SIDES; side++) {
            const char *group = (const void *)models[i].side[side];
            is_known &= *(const int64_t *)(const void *)(group + known) > 0;
        }
        if (is_known) {
            shares.weight[shares.count] = models[i].weight;
            shares.models[shares.count++] = &models[i];
            sum += models[i].weight;
        }
    }
    for (size_t i = 0; i < shares.count; i++) {
        shares.weight[i] /= sum;
    }
    return shares;
}

static void finish_shares(struct shares *shares)
{
    free(shares->models);
    free(shares->weight);
    free(shares->value);
}

/* Sets the numbers of models. Returns false if there are too few. */
static bool has_enough_models(const struct shares *shares,
                              struct dj_effect_estimate *estimate)
{
    bool is_enough = shares->count >= DJ_FLEET_MODELS_LEAST;
    *estimate = (struct dj_effect_estimate){.refusal = is_enough ? DJ_EFFECT_NO_REFUSAL
                                                       : shares->count == 0
                                                           ? DJ_EFFECT_UNKNOWN
                                                           : DJ_EFFECT_FEW_MODELS,
                                            .a = NAN,
                                            .b = NAN,
                                            .n_a = shares->count,
                                            .n_b = shares->count};
    return is_enough;
}

/* Computes the weighted mean of shares->value. Its error is at least `least`, because
 * equal values of few events do not mean certainty. */
static struct dj_weighted_mean compute_mean(const struct shares *shares, double least)
{
    struct dj_weighted_mean mean = {0};
    dj_xcheck(dj_weighted_mean_compute(shares->value, shares->weight, shares->count,
                                       &mean) == 0);
    mean.error = fmax(mean.error, least);
    mean.df = isfinite(mean.df) ? mean.df : (double)(shares->count - 1);
    return mean;
}

/* The rate of one version in the mix of models of both. */
struct rate {
    double events, total;
    double value;    /* Σ weight · events / total. */
    double more;     /* The value with half an event added, which is never 0. */
    double variance; /* Least variance of the value: that of independent events. */
};

static double get(const struct dj_fleet_group *group, size_t offset)
{
    return (double)*(const int64_t *)(const void *)((const char *)group + offset);
}

static struct rate compute_rate(const struct shares *shares,
                                const struct dj_fleet_metric *metric, size_t side)
{
    struct rate rate = {0};
    for (size_t i = 0; i < shares->count; i++) {
        const struct dj_fleet_group *group = shares->models[i]->side[side];
        double events = get(group, metric->count), total = get(group, metric->of);
        double share = shares->weight[i] / total;
        rate.events += events;
        rate.total += total;
        rate.value += share * events;
        rate.variance += share * share * events * (1 - events / total);
    }
    rate.more = rate.value + 0.5 / rate.total;
    rate.variance += 0.5 / (rate.total * rate.total);
    return rate;
}

static void estimate_share(const struct dj_fleet_metric *metric,
                           const struct dj_fleet_model *models, size_t count,
                           struct dj_effect_estimate *estimate)
{
    struct shares shares = choose_models(models, count, metric->known);
    if (has_enough_models(&shares, estimate)) {
        struct rate a = compute_rate(&shares, metric, DJ_FLEET_FROM);
        struct rate b = compute_rate(&shares, metric, DJ_FLEET_TO);
        double least = a.variance / (a.more * a.more) + b.variance / (b.more * b.more);
        for (size_t i = 0; i < shares.count; i++) {
            const struct dj_fleet_group *const *side = shares.models[i]->side;
            double of_a = get(side[DJ_FLEET_FROM], metric->count) /
                          get(side[DJ_FLEET_FROM], metric->of);
            double of_b = get(side[DJ_FLEET_TO], metric->count) /
                          get(side[DJ_FLEET_TO], metric->of);
            shares.value[i] = of_b / b.more - of_a / a.more;
        }
        estimate->a = a.value;
        estimate->b = b.value;
        estimate->log_ratio = compute_mean(&shares, sqrt(least));
        estimate->log_ratio.value = log(b.more / a.more);
        if (a.events + b.events < DJ_RATE_EVENTS_LEAST) {
            estimate->refusal = DJ_EFFECT_FEW_EVENTS;
        }
    }
    finish_shares(&shares);
}

/* The shares of frames that are faster than the start of each bucket. */
struct distribution {
    double below[EDGES];
};

static double get_edge_ms(size_t edge)
{
    return edge < DJ_FRAME_BUCKETS ? dj_frame_bucket_start_ms(edge)
                                   : dj_frame_bucket_start_ms(edge - 1) + LAST_BUCKET_MS;
}

/* Frames without a bucket are in the first one, as in hwui's percentiles. */
static void compute_distribution(const struct dj_fleet_group *group,
                                 struct distribution *distribution)
{
    double total = (double)group->timed_frames, slower = 0;
    for (size_t edge = EDGES; edge-- > 0;) {
        distribution->below[edge] = edge == 0 ? 0 : fmax(0, 1 - slower / total);
        slower += edge > 0 ? (double)group->times[edge - 1] : 0;
    }
}

static double get_share_below(const struct distribution *distribution, double ms)
{
    size_t low = 0, high = DJ_FRAME_BUCKETS;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(get_edge_ms(middle) <= ms ? &low : &high) = middle;
    }
    double within = (ms - get_edge_ms(low)) / (get_edge_ms(low + 1) - get_edge_ms(low));
    double share = distribution->below[low];
    return share + fmin(within, 1) * (distribution->below[low + 1] - share);
}

static double find_quantile_ms(const struct distribution *distribution, double share)
{
    size_t bucket = 0;
    while (bucket + 1 < DJ_FRAME_BUCKETS && distribution->below[bucket + 1] < share) {
        bucket++;
    }
    double below = distribution->below[bucket];
    double in_bucket = distribution->below[bucket + 1] - below;
    double within = in_bucket > 0 ? fmin(1, fmax(0, (share - below) / in_bucket)) : 1;
    double start = get_edge_ms(bucket);
    return start + within * (get_edge_ms(bucket + 1) - start);
}

/* Both versions of the models with a histogram. */
struct histograms {
    struct shares shares;
    struct distribution *models; /* Distributions: DJ_FLEET_SIDES for each model. */
    struct distribution mean[DJ_FLEET_SIDES];
    /* Σ weight² / frames of both versions, for the least variance of a share. */
    double inverse_frames;
};

static void compute_histograms(struct histograms *histograms)
{
    const struct shares *shares = &histograms->shares;
    for (size_t i = 0; i < shares->count; i++) {
        double weight = shares->weight[i];
        for (size_t side = 0; side < DJ_FLEET_SIDES; side++) {
            const struct dj_fleet_group *group = shares->models[i]->side[side];
            struct distribution *one = &histograms->models[i * DJ_FLEET_SIDES + side];
            compute_distribution(group, one);
            for (size_t edge = 0; edge < EDGES; edge++) {
                histograms->mean[side].below[edge] += weight * one->below[edge];
            }
            histograms->inverse_frames += weight * weight / (double)group->timed_frames;
        }
    }
}

/* Converts the error of a share to the error of the logarithm of the ratio: both
 * quantiles are moved apart and towards each other by half of it. */
static double convert_error(const struct histograms *histograms, double quantile,
                            double error)
{
    double low = quantile - error / 2, high = quantile + error / 2;
    const struct distribution *a = &histograms->mean[DJ_FLEET_FROM];
    const struct distribution *b = &histograms->mean[DJ_FLEET_TO];
    if (low <= 0 || high >= 1) {
        return INFINITY;
    }
    double most = find_quantile_ms(b, high) / find_quantile_ms(a, low);
    double least = find_quantile_ms(b, low) / find_quantile_ms(a, high);
    return log(most / least) / 2;
}

static void estimate_quantile(const struct dj_fleet_metric *metric,
                              struct histograms *histograms,
                              struct dj_effect_estimate *estimate)
{
    struct shares *shares = &histograms->shares;
    double p = metric->quantile, variance = p * (1 - p) * histograms->inverse_frames;
    if (!has_enough_models(shares, estimate)) {
        return;
    }
    estimate->a = find_quantile_ms(&histograms->mean[DJ_FLEET_FROM], p);
    estimate->b = find_quantile_ms(&histograms->mean[DJ_FLEET_TO], p);
    for (size_t i = 0; i < shares->count; i++) {
        const struct distribution *sides = &histograms->models[i * DJ_FLEET_SIDES];
        shares->value[i] = get_share_below(&sides[DJ_FLEET_FROM], estimate->a) -
                           get_share_below(&sides[DJ_FLEET_TO], estimate->b);
    }
    estimate->log_ratio = compute_mean(shares, sqrt(variance));
    estimate->log_ratio.error = convert_error(histograms, p, estimate->log_ratio.error);
    estimate->log_ratio.value = log(estimate->b / estimate->a);
    if (fmax(estimate->a, estimate->b) < get_edge_ms(1)) {
        estimate->refusal = DJ_EFFECT_FIRST_BUCKET;
    }
}

void dj_fleet_estimate_class(const struct dj_fleet_model *models, size_t count,
                             struct dj_effect_estimate estimate[DJ_FLEET_METRICS])
{
    struct histograms histograms = {
        .shares =
            choose_models(models, count, offsetof(struct dj_fleet_group, timed_frames))};
    histograms.models = dj_xcalloc(histograms.shares.count * DJ_FLEET_SIDES + 1,
                                   sizeof(*histograms.models));
    compute_histograms(&histograms);
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        if (dj_fleet_metrics[i].quantile > 0) {
            estimate_quantile(&dj_fleet_metrics[i], &histograms, &estimate[i]);
        } else {
            estimate_share(&dj_fleet_metrics[i], models, count, &estimate[i]);
        }
    }
    finish_shares(&histograms.shares);
    free(histograms.models);
}
