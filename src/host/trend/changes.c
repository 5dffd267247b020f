/* Computes the centres of batches and finds the changes between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "stats/order.h"
#include "stats/special.h"
#include "stats/spread.h"
#include "store/sha256.h"
#include "trend/changes.h"

/* Quantile of Student's t that bounds a two-sided 95 % interval, in ‰. */
enum { LEVEL = 975, CACHED = 128 };

/* Returns the quantile of Student's t for a number of runs. The quantiles are cached,
 * because thousands of batches usually have the same few numbers of runs. */
static double get_quantile(size_t runs)
{
    static _Thread_local double known[CACHED];
    if (runs >= CACHED) {
        return dj_special_t_quantile(LEVEL / 1000.0, (double)runs - 1);
    }
    if (known[runs] == 0) {
        known[runs] = dj_special_t_quantile(LEVEL / 1000.0, (double)runs - 1);
    }
    return known[runs];
}

/* Computes the centre of finite values. Replaces `values` by their logarithms. */
static void compute_values_centre(double *values, size_t count, double factor,
                                  struct dj_trend_centre *centre)
{
    double middle = NAN;
    bool linear = false;
    for (size_t i = 0; i < count; i++) {
        values[i] /= factor;
        linear = linear || values[i] <= 0;
    }
    for (size_t i = 0; i < count && !linear; i++) {
        values[i] = log(values[i]);
    }
    double half =
        count < 2 ? NAN
                  : get_quantile(count) *
                        sqrt(dj_spread_sample_variance(values, count) / (double)count);
    dj_xcode(dj_shift_compute_centre(values, count, &middle));
    centre->linear = linear;
    centre->log = middle;
    centre->value = linear ? middle : exp(middle);
    centre->ci.low = linear ? middle - half : exp(middle - half);
    centre->ci.high = linear ? middle + half : exp(middle + half);
}

static void compute_share_centre(const double *value, const double *of, size_t count,
                                 double factor, struct dj_trend_centre *centre)
{
    struct dj_share share = dj_compare_compute_share(value, of, count);
    double rate = share.events / share.frames;
    centre->value = rate / factor;
    centre->log = share.log;
    if (count >= 2) {
        double half = get_quantile(count) * share.error;
        centre->ci.low = rate * exp(-half) / factor;
        centre->ci.high =
            fmin(1, (share.events + 0.5) / share.frames * exp(half)) / factor;
    }
}

void dj_trend_compute_centre(const double *value, const double *of, size_t count,
                             double factor, struct dj_trend_centre *centre)
{
    *centre = (struct dj_trend_centre){.value = NAN, .log = NAN, .ci = {NAN, NAN}};
    double *known = dj_xcalloc(count, 2 * sizeof(*known));
    double *known_of = known + count;
    size_t runs = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(value[i]) && (of == NULL || of[i] > 0)) {
            known_of[runs] = of != NULL ? of[i] : 1;
            known[runs++] = value[i];
        }
    }
    centre->runs = runs;
    if (runs > 0 && of != NULL) {
        compute_share_centre(known, known_of, runs, factor, centre);
    } else if (runs > 0) {
        compute_values_centre(known, runs, factor, centre);
    }
    free(known);
}

static void set_change_id(const struct dj_trend_segment *segment,
                          const struct dj_trend_point *point,
                          char id[DJ_TREND_CHANGE_ID_BYTES])
{
    char hex[DJ_SHA256_HEX_BYTES];
    char when[64];
    struct dj_sha256 hash;
    const char *const parts[] = {segment->key, segment->metric, point->id, point->version,
                                 point->commit};
    dj_store_sha256_init(&hash);
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        dj_store_sha256_add_text(&hash, parts[i]);
    }
    int length = snprintf(when, sizeof(when), "%lld %lld", (long long)point->at_unix_ms,
                          (long long)point->ordinal);
    dj_store_sha256_add(&hash, when, (size_t)length);
    dj_store_sha256_end(&hash, hex);
    memcpy(id, hex, DJ_TREND_CHANGE_ID_BYTES - 1);
    id[DJ_TREND_CHANGE_ID_BYTES - 1] = '\0';
}

static double convert_to_unit(const struct dj_trend_segment *segment, double number)
{
    return segment->linear  ? number * segment->scale
           : segment->share ? exp(number) * 100
                            : exp(number);
}

static void set_change(const struct dj_trend_segment *segment,
                       const struct dj_change *found, struct dj_trend_change *change)
{
    bool ratio = !segment->linear;
    bool rose = found->direction > 0, fell = found->direction < 0;
    *change = (struct dj_trend_change){
        .index = found->index,
        .from = found->from,
        .to = found->to,
        .direction = found->direction,
        .ratio = ratio ? exp(found->shift) : NAN,
        .ci = {ratio ? exp(found->bounds.low) : NAN,
               ratio ? exp(found->bounds.high) : NAN},
        .p = found->p,
        .before = convert_to_unit(segment, found->before),
        .after = convert_to_unit(segment, found->after),
        .worse = (rose && segment->less_is_better) || (fell && segment->more_is_better),
        .better = (fell && segment->less_is_better) || (rose && segment->more_is_better),
    };
}

static double compute_median_size(const struct dj_trend_segment *segment, double *room)
{
    for (size_t i = 0; i < segment->point_count; i++) {
        room[i] = fabs(segment->points[i].value);
    }
    dj_order_sort(room, segment->point_count);
    double median = room[segment->point_count / 2];
    double most = room[segment->point_count - 1];
    return median > 0 ? median : most > 0 ? most : 1;
}

static void set_changes(struct dj_trend_segment *segment,
                        const struct dj_change_points *found)
{
    segment->changes = dj_xcalloc(found->count, sizeof(*segment->changes));
    segment->hints = dj_xcalloc(found->hint_count, sizeof(*segment->hints));
    for (size_t i = 0; i < found->count; i++) {
        struct dj_trend_change *change = &segment->changes[segment->change_count++];
        set_change(segment, &found->changes[i], change);
        set_change_id(segment, &segment->points[change->index], change->id);
    }
    for (size_t i = 0; i < found->hint_count; i++) {
        set_change(segment, &found->hints[i], &segment->hints[segment->hint_count++]);
    }
    segment->correlation = found->correlation;
}

int dj_trend_find_changes(struct dj_trend_segment *segment,
                          const struct dj_change_rules *rules, struct dj_error *err)
{
    struct dj_change_points found = {0};
    segment->scale = 1;
    if (segment->point_count < DJ_HISTORY_LEAST ||
        segment->point_count > DJ_HISTORY_MAX) {
        segment->gap = segment->point_count < DJ_HISTORY_LEAST ? DJ_TREND_FEW_POINTS
                                                               : DJ_TREND_MANY_POINTS;
        return 0;
    }
    double *numbers = dj_xcalloc(segment->point_count, sizeof(*numbers));
    segment->scale = segment->linear ? compute_median_size(segment, numbers) : 1;
    for (size_t i = 0; i < segment->point_count; i++) {
        struct dj_trend_point *point = &segment->points[i];
        point->log = segment->linear ? point->value / segment->scale : point->log;
        numbers[i] = point->log;
    }
    int code =
        dj_xcode(dj_change_points_find(numbers, segment->point_count, rules, &found));
    free(numbers);
    if (code != 0) {
        return dj_error_set(
            err, code, "cannot compute the change points of %.60s: %s", segment->words,
            code == DJ_E_INVALID ? "a value is not a finite number"
                                 : "a parameter of the search is out of range");
    }
    set_changes(segment, &found);
    dj_change_points_finish(&found);
    return 0;
}
