/* Which changes somebody accepted, and between which commits the others lie. */
#include <stdlib.h>
#include <string.h>

#include "judge/commits.h"
#include "judge/trend_parts.h"

/* ---- blessings ---- */

struct blessing_reading {
    struct dj_trend *trend;
    struct dj_error *err;
};

/* The point that a blessing is from: the batch itself, else the first of that time, else
 * the place. */
static size_t place_of(const struct dj_trend_segment *segment,
                       const struct dj_blessing *blessing)
{
    for (size_t i = 0; i < segment->point_count; i++) {
        const char *id = segment->points[i].id;
        if (id != NULL && strcmp(id, blessing->from_point) == 0) {
            return i;
        }
    }
    size_t i = 0;
    if (blessing->from_unix_ms == INT64_MIN) {
        return blessing->from_ordinal >= 0 ? (size_t)blessing->from_ordinal : SIZE_MAX;
    }
    while (i < segment->point_count &&
           segment->points[i].at_unix_ms < blessing->from_unix_ms) {
        i++;
    }
    return i < segment->point_count ? i : SIZE_MAX;
}

static bool is_near(size_t a, size_t b)
{
    return a != SIZE_MAX && (a > b ? a - b : b - a) <= DJ_TREND_NEAR;
}

static bool is_of(const struct dj_trend_segment *segment,
                  const struct dj_blessing *blessing)
{
    return strcmp(segment->project, blessing->project) == 0 &&
           strcmp(segment->metric, blessing->metric) == 0 &&
           (blessing->segment == NULL || strcmp(segment->key, blessing->segment) == 0);
}

static int keep_blessing(struct blessing_reading *reading,
                         const struct dj_blessing *blessing,
                         struct dj_trend_blessing **kept)
{
    struct dj_trend *trend = reading->trend;
    void *all = reallocarray(trend->blessings, trend->blessing_count + 1,
                             sizeof(*trend->blessings));
    struct dj_trend_blessing *one = calloc(1, sizeof(*one));
    if (all != NULL) {
        trend->blessings = all;
    }
    if (all == NULL || one == NULL) {
        free(one);
        return dj_trend_no_memory(reading->err);
    }
    trend->blessings[trend->blessing_count++] = one;
    one->made_unix_ms = blessing->made_unix_ms;
    int code = dj_trend_keep(trend, blessing->id, &one->id, reading->err);
    code =
        code == 0 ? dj_trend_keep(trend, blessing->who, &one->who, reading->err) : code;
    *kept = one;
    return code == 0 ? dj_trend_keep(trend, blessing->why, &one->why, reading->err)
                     : code;
}

static int take_blessing(void *user, const struct dj_blessing *blessing)
{
    struct blessing_reading *reading = user;
    struct dj_trend_blessing *kept = NULL;
    int code = 0;
    for (size_t i = 0; i < reading->trend->segment_count; i++) {
        struct dj_trend_segment *segment = &reading->trend->segments[i];
        if (blessing->withdrawn != NULL || segment->change_count == 0 ||
            !is_of(segment, blessing)) {
            continue;
        }
        size_t place = place_of(segment, blessing);
        for (size_t k = 0; k < segment->change_count && code == 0; k++) {
            struct dj_trend_change *change = &segment->changes[k];
            if (is_near(place, change->index) &&
                (change->direction > 0) == blessing->up) {
                code = kept == NULL ? keep_blessing(reading, blessing, &kept) : 0;
                change->blessing = kept;
            }
        }
    }
    return code;
}

int dj_trend_bless(struct dj_trend *trend, struct dj_history *history,
                   const struct dj_trend_query *query, struct dj_error *err)
{
    struct dj_error own = {0};
    struct blessing_reading reading = {trend, err != NULL ? err : &own};
    return dj_history_each_blessing(history, query->project, take_blessing, &reading,
                                    reading.err);
}

/* ---- commits between ---- */

enum { GIT_MOST = 50 }; /* changes of which git is asked */

/* What git was asked and said: a project's flows and devices mostly change with the same
 * commits, and starting git takes longer than all the rest of a trend. */
struct asked_git {
    const char *good, *bad;
    const struct dj_trend_change *change; /* the first that lies between them */
};
struct bisection {
    struct dj_trend_query query;
    struct asked_git asked[GIT_MOST];
    size_t count;
};

static int add_commit(struct dj_trend *trend, struct dj_trend_change *change,
                      const char *commit, struct dj_error *err)
{
    void *more =
        reallocarray(change->commits, change->commit_count + 1, sizeof(*change->commits));
    if (more == NULL) {
        return dj_trend_no_memory(err);
    }
    change->commits = more;
    change->commit_count++;
    return dj_trend_keep(trend, commit, &change->commits[change->commit_count - 1], err);
}

static int take_lines(struct dj_trend *trend, struct dj_trend_change *change,
                      const struct dj_text *lines, struct dj_error *err)
{
    const char *at = dj_text_get(lines);
    int code = 0;
    while (*at != '\0' && code == 0 && change->commit_count < DJ_TREND_COMMITS_MOST) {
        char commit[DJ_COMMIT];
        size_t length = strcspn(at, "\n");
        snprintf(commit, sizeof(commit), "%.*s", (int)(length < 64 ? length : 64), at);
        code = add_commit(trend, change, commit, err);
        at += length + (at[length] == '\n');
    }
    change->from_git = true;
    return code;
}

static int ask_git(struct dj_trend *trend, const struct dj_trend_query *query,
                   struct dj_trend_change *change, const char *good, const char *bad,
                   struct dj_error *err)
{
    struct dj_text lines = {0};
    struct dj_error refused = {0};
    int code = dj_commits_between(query->repository, good, bad, &lines, &refused);
    if (code == 0) {
        code = take_lines(trend, change, &lines, err);
    } else if (code == DJ_E_NO_MEMORY) {
        dj_trend_no_memory(err);
    } else {
        code = trend->git_note == NULL
                   ? dj_trend_keep(trend, refused.message, &trend->git_note, err)
                   : 0;
    }
    dj_text_finish(&lines);
    return code;
}

static int take_over(struct dj_trend *trend, struct dj_trend_change *change,
                     const struct dj_trend_change *from, struct dj_error *err)
{
    int code = 0;
    change->from_git = from->from_git; /* else git does not know them: nor for this one */
    for (size_t i = 0; from->from_git && i < from->commit_count && code == 0; i++) {
        code = add_commit(trend, change, from->commits[i], err);
    }
    return code;
}

/* Of git what it has said already, else itself. */
static int ask_once(struct dj_trend *trend, struct bisection *bisection,
                    struct dj_trend_change *change, const char *good, const char *bad,
                    struct dj_error *err)
{
    for (size_t i = 0; i < bisection->count; i++) {
        const struct asked_git *asked = &bisection->asked[i];
        if (strcmp(asked->good, good) == 0 && strcmp(asked->bad, bad) == 0) {
            return take_over(trend, change, asked->change, err);
        }
    }
    bisection->asked[bisection->count++] = (struct asked_git){good, bad, change};
    return ask_git(trend, &bisection->query, change, good, bad, err);
}

static bool stands_there(const struct dj_trend_change *change, const char *commit)
{
    for (size_t i = 0; i < change->commit_count; i++) {
        if (strcmp(change->commits[i], commit) == 0) {
            return true;
        }
    }
    return false;
}

/* What any history of the project has between the two moments, the newest first. */
static int ask_store(struct dj_trend *trend, const struct dj_trend_segment *segment,
                     struct dj_trend_change *change, struct dj_error *err)
{
    const struct dj_trend_point *good = &segment->points[change->index - 1];
    const struct dj_trend_point *bad = &segment->points[change->index];
    bool other_code = bad->commit != NULL &&
                      (good->commit == NULL || strcmp(good->commit, bad->commit) != 0);
    int code = other_code ? add_commit(trend, change, bad->commit, err) : 0;
    for (size_t i = trend->segment_count; i > 0 && code == 0; i--) {
        const struct dj_trend_segment *other = &trend->segments[i - 1];
        if (strcmp(other->project, segment->project) != 0 ||
            good->at_unix_ms == INT64_MIN) {
            continue;
        }
        for (size_t k = other->point_count; k > 0 && code == 0; k--) {
            const struct dj_trend_point *point = &other->points[k - 1];
            if (point->commit != NULL && point->at_unix_ms > good->at_unix_ms &&
                point->at_unix_ms < bad->at_unix_ms &&
                (good->commit == NULL || strcmp(point->commit, good->commit) != 0) &&
                change->commit_count < DJ_TREND_COMMITS_MOST &&
                !stands_there(change, point->commit)) {
                code = add_commit(trend, change, point->commit, err);
            }
        }
    }
    return code;
}

static int bisect(struct dj_trend *trend, struct bisection *bisection,
                  const struct dj_trend_segment *segment, struct dj_trend_change *change,
                  struct dj_error *err)
{
    const char *good = segment->points[change->index - 1].commit;
    const char *bad = segment->points[change->index].commit;
    int code = 0;
    if (bisection->query.repository != NULL && good != NULL && bad != NULL &&
        trend->git_asked < GIT_MOST) {
        trend->git_asked++;
        code = ask_once(trend, bisection, change, good, bad, err);
    }
    return code == 0 && !change->from_git ? ask_store(trend, segment, change, err) : code;
}

/* No repository is told once, and not asked for every change. */
static bool has_git(struct dj_trend *trend, const struct dj_trend_query *query,
                    struct dj_error *err)
{
    char head[DJ_COMMIT];
    struct dj_error refused = {0};
    if (dj_commits_name(query->repository, "HEAD", head, &refused) == 0) {
        return true;
    }
    dj_trend_keep(trend, refused.message, &trend->git_note, err);
    return false;
}

int dj_trend_bisect(struct dj_trend *trend, const struct dj_trend_query *given,
                    struct dj_error *err)
{
    int code = 0;
    struct bisection bisection = {.query = *given};
    if (given->repository != NULL && !has_git(trend, given, err)) {
        bisection.query.repository = NULL;
    }
    for (size_t i = 0; i < trend->segment_count && code == 0; i++) {
        struct dj_trend_segment *segment = &trend->segments[i];
        for (size_t k = 0; k < segment->change_count && code == 0; k++) {
            code = bisect(trend, &bisection, segment, &segment->changes[k], err);
        }
    }
    return code;
}
