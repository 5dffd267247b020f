/* Finds the commits that may have caused a change. Asks git for these commits, and reads
 * them from the store if git does not know them. */
#include <stdlib.h>
#include <string.h>

#include "base/optional_text.h"
#include "gate/commits.h"
#include "memory/memory.h"
#include "trend/reading.h"

enum { GIT_MOST = 50 }; /* Maximum number of calls of git for one trend. */

/* The results of calls of git. The results are kept for all parts, because the flows and
 * devices of a project usually change with the same commits and a call of git takes
 * longer than the rest of a trend. */
struct dj_trend_git {
    struct answer {
        char *good, *bad;
        /* One commit per line, or NULL if git does not know the commits. */
        char *commits;
    } answers[GIT_MOST];
    size_t count;
    /* Whether a repository was searched for, and whether it was found. */
    bool is_checked, is_found;
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

static void set_note(struct dj_trend_git *git, const struct dj_error *refused)
{
    if (git->note[0] == '\0') {
        snprintf(git->note, sizeof(git->note), "%s", refused->message);
    }
}

/* Checks once whether there is a repository, so that a missing repository is reported
 * only once. */
static void find_repository(struct dj_trend_git *git, const char *repository)
{
    char head[DJ_GATE_COMMIT_BYTES];
    struct dj_error refused = {0};
    if (!git->is_checked) {
        git->is_checked = true;
        git->is_found = dj_gate_commits_name(repository, "HEAD", head, &refused) == 0;
        if (!git->is_found) {
            set_note(git, &refused);
        }
    }
}

static bool has_commit(const struct dj_trend_change *change, const char *commit)
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
             dj_memory_strings_add(&trend->texts, commit));
}

static void add_lines(struct dj_trend *trend, struct dj_trend_change *change,
                      const char *lines)
{
    char commit[DJ_GATE_COMMIT_BYTES];
    change->from_git = lines != NULL;
    while (lines != NULL && change->commit_count < DJ_TREND_COMMITS_MAX &&
           dj_gate_commits_next(&lines, commit)) {
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

/* Adds the commits that git reports. If git does not know the commits, the change is not
 * modified. */
static void read_git_commits(struct dj_trend *trend,
                             const struct dj_trend_outline *outline,
                             struct dj_trend_change *change, const char *good,
                             const char *bad)
{
    struct dj_trend_git *git = outline->git;
    struct answer *answer = find_answer(git, good, bad);
    if (answer == NULL && git->count < GIT_MOST) {
        struct dj_text lines = {0};
        struct dj_error refused = {0};
        answer = &git->answers[git->count++];
        *answer = (struct answer){dj_xstrdup(good), dj_xstrdup(bad), NULL};
        if (dj_gate_commits_between(outline->query->repository, good, bad, &lines,
                                    &refused) == 0) {
            answer->commits = dj_xtext_detach(&lines);
        } else {
            set_note(git, &refused);
        }
        dj_text_finish(&lines);
    }
    if (answer != NULL) {
        add_lines(trend, change, answer->commits);
    }
}

struct store_commits {
    struct dj_trend *trend;
    struct dj_trend_change *change;
    const struct dj_trend_point *good;
};

static int add_store_commit(void *user, const char *commit)
{
    struct store_commits *store_commits = user;
    struct dj_trend_change *change = store_commits->change;
    if (!dj_optional_text_equal(commit, store_commits->good->commit) &&
        change->commit_count < DJ_TREND_COMMITS_MAX && !has_commit(change, commit)) {
        add_commit(store_commits->trend, change, commit);
    }
    return 0;
}

/* Adds the commits that were measured between the two points in any segment of the
 * project, newest first. */
static int read_store_commits(struct dj_trend *trend, struct dj_store *store,
                              const struct dj_trend_segment *segment,
                              struct dj_trend_change *change, struct dj_error *err)
{
    const struct dj_trend_point *good = &segment->points[change->index - 1];
    const struct dj_trend_point *bad = &segment->points[change->index];
    struct store_commits store_commits = {trend, change, good};
    if (bad->commit != NULL && !dj_optional_text_equal(good->commit, bad->commit)) {
        add_commit(trend, change, bad->commit);
    }
    return good->at_unix_ms == INT64_MIN
               ? 0
               : dj_store_read_commits_between(store, segment->project, good->at_unix_ms,
                                               bad->at_unix_ms, add_store_commit,
                                               &store_commits, err);
}

/* Returns whether two changes lie between the same two points, or between points with the
 * same times and commits. This is usually the case for changes of several figures at the
 * same time. */
static bool has_same_neighbours(const struct dj_trend_segment *segment, size_t index,
                                const struct dj_trend_segment *other, size_t at)
{
    for (size_t i = 0; i < 2; i++) {
        const struct dj_trend_point *one = &segment->points[index - i];
        const struct dj_trend_point *two = &other->points[at - i];
        if (one->at_unix_ms != two->at_unix_ms || one->at_unix_ms == INT64_MIN ||
            !dj_optional_text_equal(one->commit, two->commit)) {
            return false;
        }
    }
    return true;
}

/* Returns an earlier change between the same points, or NULL if there is none. */
static const struct dj_trend_change *
find_same_change(const struct dj_trend *trend, const struct dj_trend_segment *segment,
                 const struct dj_trend_change *change)
{
    for (size_t i = (size_t)(segment - trend->segments); i > 0; i--) {
        const struct dj_trend_segment *other = &trend->segments[i - 1];
        if (strcmp(other->project, segment->project) != 0) {
            break;
        }
        for (size_t k = 0; k < other->change_count; k++) {
            if (!other->changes[k].from_git &&
                has_same_neighbours(segment, change->index, other,
                                    other->changes[k].index)) {
                return &other->changes[k];
            }
        }
    }
    return NULL;
}

static int find_change_commits(struct dj_trend *trend,
                               const struct dj_trend_outline *outline,
                               const struct dj_trend_segment *segment,
                               struct dj_trend_change *change, struct dj_error *err)
{
    const char *good = segment->points[change->index - 1].commit;
    const char *bad = segment->points[change->index].commit;
    if (outline->git != NULL && outline->git->is_found && good != NULL && bad != NULL) {
        read_git_commits(trend, outline, change, good, bad);
        if (change->from_git) {
            return 0;
        }
    }
    const struct dj_trend_change *known = find_same_change(trend, segment, change);
    if (known == NULL) {
        return read_store_commits(trend, outline->store, segment, change, err);
    }
    for (size_t i = 0; i < known->commit_count; i++) {
        DJ_XPUSH(change->commits, change->commit_count, known->commits[i]);
    }
    return 0;
}

int dj_trend_find_commits(struct dj_trend *trend, struct dj_trend_outline *outline,
                          struct dj_error *err)
{
    int code = 0;
    if (outline->query->repository != NULL) {
        outline->git =
            outline->git != NULL ? outline->git : dj_xcalloc(1, sizeof(*outline->git));
        find_repository(outline->git, outline->query->repository);
    }
    for (size_t i = 0; i < trend->segment_count && code == 0; i++) {
        struct dj_trend_segment *segment = &trend->segments[i];
        for (size_t k = 0; k < segment->change_count && code == 0; k++) {
            code =
                find_change_commits(trend, outline, segment, &segment->changes[k], err);
        }
    }
    return code;
}
