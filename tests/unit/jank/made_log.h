/* Makes logs of frames for tests. */
#ifndef DEJANK_TESTS_JANK_MADE_LOG_H
#define DEJANK_TESTS_JANK_MADE_LOG_H

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "jank/figures.h"

#define MS INT64_C(1000000)
#define INTERVAL_NS INT64_C(16666667)

enum { MADE_FRAMES = 1200 };

/* A log in which every frame starts when the frame before it completed. */
struct made_log {
    struct dj_jank_frame frames[MADE_FRAMES];
    size_t count;
    int64_t now_ns;
};

/* Returns a frame of which only start and completion are known. */
static inline struct dj_jank_frame made_frame(int64_t start_ns, int64_t completed_ns)
{
    return (struct dj_jank_frame){
        .start_ns = start_ns,
        .completed_ns = completed_ns,
        .present_ns = DJ_JANK_UNKNOWN,
        .animation_ns = DJ_JANK_UNKNOWN,
        .interval_ns = DJ_JANK_UNKNOWN,
        .deadline_ns = DJ_JANK_UNKNOWN,
        .ui_ns = DJ_JANK_UNKNOWN,
    };
}

static inline struct dj_jank_frame *add_frame(struct made_log *made, int64_t time_ns)
{
    struct dj_jank_frame *frame = &made->frames[made->count++];
    cr_assert_leq(made->count, MADE_FRAMES);
    made->now_ns = made->now_ns == 0 ? 1000 * MS : made->now_ns;
    *frame = made_frame(made->now_ns, made->now_ns + time_ns);
    made->now_ns += time_ns;
    return frame;
}

static inline void add_frames(struct made_log *made, size_t count, int64_t time_ns)
{
    for (size_t i = 0; i < count; i++) {
        add_frame(made, time_ns);
    }
}

static inline struct dj_jank_log get_log(const struct made_log *made)
{
    return (struct dj_jank_log){made->frames, made->count, INTERVAL_NS};
}

static inline struct dj_jank_figures compute(const struct made_log *made)
{
    struct dj_jank_totals totals = {0};
    struct dj_jank_figures figures;
    struct dj_jank_log log = get_log(made);
    cr_assert(dj_jank_add(&totals, &log));
    dj_jank_compute(&totals, &figures);
    dj_jank_finish(&totals);
    return figures;
}

/* Expects a figure within a billionth. */
static inline void expect_figure(const struct dj_jank_figures *figures,
                                 enum dj_jank_rule_id id, double value)
{
    const struct dj_jank_figure *figure = &figures->rule[id];
    cr_expect_float_eq(figure->value, value, 1e-9 * (1 + fabs(value)), "%s: %.12g",
                       dj_jank_rule_get(id)->slug, figure->value);
    cr_expect_null(figure->reason, "%s: %s", dj_jank_rule_get(id)->slug, figure->reason);
}

static inline void expect_unknown(const struct dj_jank_figures *figures,
                                  enum dj_jank_rule_id id)
{
    cr_expect(isnan(figures->rule[id].value), "%s: %g", dj_jank_rule_get(id)->slug,
              figures->rule[id].value);
    cr_expect_not_null(figures->rule[id].reason, "%s", dj_jank_rule_get(id)->slug);
}

#endif
