/* Finds the commits between which the changes lie: from git, else from the store. */
#include <stdlib.h>
#include <string.h>

#include "base/optional_text.h"
#include "gate/commits.h"
#include "memory/memory.h"
#include "trend/trend_reading.h"

enum { GIT_MOST = 50 }; /* most calls of git */

/* Questions to git and its answers, kept for all parts. The flows and devices of a
 * project mostly change with the same commits, and starting git takes longer than the
 * rest of a trend. */
struct dj_trend_git {
    struct answer {
        char *good, *bad;
        char *commits; /* lines; NULL: git does not know them */
    } answers[GIT_MOST];
    size_t count;
    bool looked, there; /* whether a repository was searched, and found */
    char note[sizeof((struct dj_error){0}.message)];
};

const char *dj_trend_git_note(const struct dj_trend_git *git)
{
    return git != NULL && git->note[0] != '\0' ? git->note : NULL;
}

void dj_trend_git_close(struct dj_trend_git *git)
{
    for (size_t i = 0; git != NULL && i < git->count; i++) {
        free(git->answers[i].good);
        free(git->answers[i].bad);
        free(git->answers[i].commits);
    }
    free(git);
}

static void take_note(struct dj_trend_git *git, const struct dj_error *refused)
{
    if (git->note[0] == '\0') {
        snprintf(git->note, sizeof(git->note), "%s", refused->message);
    }
}

/* A missing repository is reported once, not for every change. */
static void look_for_repository(struct dj_trend_git *git, const char *repository)
{
    char head[DJ_COMMIT];
    struct dj_error refused = {0};
    if (!git->looked) {
        git->looked = true;
        git->there = dj_commits_name(repository, "HEAD", head, &refused) == 0;
        if (!git->there) {
            take_note(git, &refused);
        }
    }
}

/* ---- commits of a change ---- */

static bool stands_there(const struct dj_trend_change *change, const char *commit)
{
    for (size_t i = 0; i < change->commit_count; i++) {
        if (strcmp(change->commits[i], commit) == 0) {
            return true;
        }
    }
    return false;
}

static void add_commit(struct dj_trend *trend, struct dj_trend_change *change,
                       const char *commit)
{
    DJ_XPUSH(change->commits, change->commit_count,
             dj_strings_keep(&trend->texts, commit));
}

/* ---- git ---- */

static void take_lines(struct dj_trend *trend, struct dj_trend_change *change,
                       const char *lines)
{
    char commit[DJ_COMMIT];
    change->from_git = lines != NULL;
    while (lines != NULL && change->commit_count < DJ_TREND_COMMITS_MOST &&
           dj_commits_next(&lines, commit)) {
        add_commit(trend, change, commit);
    }
}

static struct answer *find_answer(struct dj_trend_git *git, const char *good,
                                  const char *bad)
{
    for (size_t i = 0; i < git->count; i++) {
        if (strcmp(git->answers[i].good, good) == 0 &&
            strcmp(git->answers[i].bad, bad) == 0) {
            return &git->answers[i];
        }
    }
    return NULL;
}

/* Leaves the change unchanged if git does not know the commits. */
static void ask_git(struct dj_trend *trend, const struct dj_trend_outline *outline,
                    struct dj_trend_change *change, const char *good, const char *bad)
{
    struct dj_trend_git *git = outline->git;
    struct answer *answer = find_answer(git, good, bad);
    if (answer == NULL && git->count < GIT_MOST) {
        struct dj_text lines = {0};
        struct dj_error refused = {0};
        answer = &git->answers[git->count++];
        *answer = (struct answer){dj_xstrdup(good), dj_xstrdup(bad), NULL};
        if (dj_commits_between(outline->query->repository, good, bad, &lines, &refused) ==
            0) {
            answer->commits = dj_xtext_take(&lines);
        } else {
            take_note(git, &refused);
        }
        dj_text_finish(&lines);
    }
    if (answer != NULL) {
        take_lines(trend, change, answer->commits);
    }
}

/* ---- the store ---- */

struct gathering {
    struct dj_trend *trend;
    struct dj_trend_change *change;
    const struct dj_trend_point *good;
};

static int gather(void *user, const char *commit)
{
    struct gathering *gathering = user;
    struct dj_trend_change *change = gathering->change;
    if (!dj_texts_equal(commit, gathering->good->commit) &&
        change->commit_count < DJ_TREND_COMMITS_MOST && !stands_there(change, commit)) {
        add_commit(gathering->trend, change, commit);
    }
    return 0;
}

/* Lists the commits that any history of the project has between two times, newest
 * first. */
static int ask_store(struct dj_trend *trend, struct dj_history *store,
                     const struct dj_trend_segment *segment,
                     struct dj_trend_change *change, struct dj_error *err)
{
    const struct dj_trend_point *good = &segment->points[change->index - 1];
    const struct dj_trend_point *bad = &segment->points[change->index];
    struct gathering gathering = {trend, change, good};
    if (bad->commit != NULL && !dj_texts_equal(good->commit, bad->commit)) {
        add_commit(trend, change, bad->commit);
    }
    return good->at_unix_ms == INT64_MIN
               ? 0
               : dj_history_each_commit_between(store, segment->project, good->at_unix_ms,
                                                bad->at_unix_ms, gather, &gathering, err);
}

/* Changes of several figures mostly lie between the same two points, or between commits
 * measured at the same times. */
static bool lie_between_the_same(const struct dj_trend_segment *segment, size_t index,
                                 const struct dj_trend_segment *other, size_t at)
{
    for (size_t i = 0; i < 2; i++) {
        const struct dj_trend_point *one = &segment->points[index - i];
        const struct dj_trend_point *two = &other->points[at - i];
        if (one->at_unix_ms != two->at_unix_ms || one->at_unix_ms == INT64_MIN ||
            !dj_texts_equal(one->commit, two->commit)) {
            return false;
        }
    }
    return true;
}

/* Returns NULL if no earlier change lies between the same points. */
static const struct dj_trend_change *same_before(const struct dj_trend *trend,
                                                 const struct dj_trend_segment *segment,
                                                 const struct dj_trend_change *change)
{
    for (size_t i = (size_t)(segment - trend->segments); i > 0; i--) {
        const struct dj_trend_segment *other = &trend->segments[i - 1];
        if (strcmp(other->project, segment->project) != 0) {
            break;
        }
        for (size_t k = 0; k < other->change_count; k++) {
            if (!other->changes[k].from_git &&
                lie_between_the_same(segment, change->index, other,
                                     other->changes[k].index)) {
                return &other->changes[k];
            }
        }
    }
    return NULL;
}

/* ---- bisection ---- */

static int bisect(struct dj_trend *trend, const struct dj_trend_outline *outline,
                  const struct dj_trend_segment *segment, struct dj_trend_change *change,
                  struct dj_error *err)
{
    const char *good = segment->points[change->index - 1].commit;
    const char *bad = segment->points[change->index].commit;
    if (outline->git != NULL && outline->git->there && good != NULL && bad != NULL) {
        ask_git(trend, outline, change, good, bad);
        if (change->from_git) {
            return 0;
        }
    }
    const struct dj_trend_change *known = same_before(trend, segment, change);
    if (known == NULL) {
        return ask_store(trend, outline->store, segment, change, err);
    }
    for (size_t i = 0; i < known->commit_count; i++) {
        DJ_XPUSH(change->commits, change->commit_count, known->commits[i]);
    }
    return 0;
}

int dj_trend_bisect(struct dj_trend *trend, struct dj_trend_outline *outline,
                    struct dj_error *err)
{
    int code = 0;
    if (outline->query->repository != NULL) {
        outline->git =
            outline->git != NULL ? outline->git : dj_xcalloc(1, sizeof(*outline->git));
        look_for_repository(outline->git, outline->query->repository);
    }
    for (size_t i = 0; i < trend->segment_count && code == 0; i++) {
        struct dj_trend_segment *segment = &trend->segments[i];
        for (size_t k = 0; k < segment->change_count && code == 0; k++) {
            code = bisect(trend, outline, segment, &segment->changes[k], err);
        }
    }
    return code;
}
