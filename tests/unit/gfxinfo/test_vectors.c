/* Compares with the output of hwui's own JankTracker for generated frames, release by
 * release. All bytes must be the same. Reads tests/data, which the build unpacks, and
 * also the folder DEJANK_CORPUS if it is set. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/tracker.h"
#include "gfxinfo/print.h"

extern const char vectors_path[];

enum { FRAMES_KEPT = 120 };

/* Returns where the value of a key in a flat JSON object begins, or NULL. */
static const char *value_of(const char *object, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof(quoted), "\"%s\":", key);
    const char *found = strstr(object, quoted);
    return found != NULL ? found + strlen(quoted) : NULL;
}

static int64_t number_of(const char *object, const char *key)
{
    const char *value = value_of(object, key);
    cr_assert_not_null(value, "no %s", key);
    return strtoll(value, NULL, 10);
}

/* Returns the string value of a key, or NULL. The only escape sequence is \n. The caller
 * frees the string. */
static char *string_of(const char *object, const char *key)
{
    const char *at = value_of(object, key);
    if (at == NULL) {
        return NULL;
    }
    char *string = malloc(strlen(at) + 1);
    size_t length = 0;
    for (at++; *at != '"'; at++) {
        if (*at == '\\') {
            at++;
            string[length++] = *at == 'n' ? '\n' : *at;
        } else {
            string[length++] = *at;
        }
    }
    string[length] = '\0';
    return string;
}

/* Reads the frames of an object. Their columns are those of the release, in its order. */
static size_t frames_of(const char *object, const struct dj_column_list *columns,
                        struct dj_frame *frames, size_t maximum)
{
    const char *at = value_of(object, "frames");
    size_t count = 0;
    for (at++; *at == '[' && count < maximum; count++) {
        at++;
        frames[count] = (struct dj_frame){0};
        for (size_t i = 0; i < columns->count; i++) {
            char *end;
            int64_t value = strtoll(at, &end, 10);
            cr_assert(end > at);
            dj_frame_set(&frames[count], (enum dj_column)columns->column[i], value);
            at = end + 1;
        }
        at += *at == ',';
    }
    return count;
}

/* Compares a printed block with the vectors, which contain `before` and then the text
 * without the newlines around it. */
static void expect_block(const char *what, const char *name, size_t line,
                         const char *before, const struct dj_text *text, const char *want)
{
    const char *got = dj_text_get(text) + strspn(dj_text_get(text), "\n");
    size_t length = strlen(got);
    while (length > 0 && got[length - 1] == '\n') {
        length--;
    }
    cr_assert_eq(strncmp(want, before, strlen(before)), 0);
    want += strlen(before);
    size_t same = 0;
    while (same < length && got[same] == want[same]) {
        same++;
    }
    cr_assert(same == length && want[same] == '\0',
              "%s, object %zu, %s: differs at byte %zu: got \"%.60s\", want \"%.60s\"",
              name, line, what, same, got + same, want + same);
}

/* Sets the parameters of the tracker that the frames do not contain
 * (docs/semantics.md). */
static void start(struct dj_tracker *tracker, const struct dj_dialect *dialect,
                  const char *object)
{
    bool fixed = dialect->api == 28 || dialect->api == 29;
    dj_frame_tracker_init(tracker, dialect,
                          fixed ? 16666667 : number_of(object, "vsync_ns"));
    tracker->forgiveness_ns = dj_frame_compute_forgiveness_ns(
        number_of(object, "sf_offset_ns"), number_of(object, "app_offset_ns"));
    if (fixed || dialect->api == 25) {
        tracker->forgiveness_ns = fixed ? 4000000 : 0;
    }
}

static void judge(struct dj_tracker *tracker, struct dj_frame *frames, size_t count,
                  struct dj_stats *stats)
{
    for (size_t i = 0; i < count; i++) {
        struct dj_verdict verdict;
        dj_frame_tracker_judge(tracker, &frames[i], &verdict);
        dj_frame_stats_add(stats, &verdict);
        if (verdict.deadline_moved) {
            frames[i].value[DJ_COLUMN_FRAME_DEADLINE] = verdict.deadline_ns;
        }
    }
}

static size_t check_object(const char *object, const struct dj_dialect *dialect,
                           size_t line)
{
    static struct dj_frame frames[1000];
    struct dj_stats stats = {.since_ns = 424242};
    struct dj_tracker tracker;
    size_t count = frames_of(object, &dialect->columns, frames, 1000);
    cr_assert_gt(count, 0);
    start(&tracker, dialect, object);
    judge(&tracker, frames, count, &stats);

    size_t skip = count > FRAMES_KEPT ? count - FRAMES_KEPT : 0;
    struct dj_text block = {0};
    struct dj_text rows = {0};
    dj_gfxinfo_print_stats(&block, &stats, dialect);
    dj_gfxinfo_print_framestats(&rows, frames + skip, count - skip, dialect,
                                tracker.interval_ns);
    const struct {
        const char *key;
        const char *before;
        const struct dj_text *text;
        bool has;
    } blocks[] = {{"process", "", &block, true},
                  {"window", "\nWindow: win\n", &block, dialect->window_stats},
                  {"framestats", "", &rows, false}};
    size_t checked = 0;
    for (size_t i = 0; i < 3; i++) {
        char *want = string_of(object, blocks[i].key);
        cr_assert(want != NULL || !blocks[i].has);
        if (want != NULL) {
            expect_block(blocks[i].key, dialect->name, line, blocks[i].before,
                         blocks[i].text, want);
            checked++;
        }
        free(want);
    }
    dj_text_finish(&block);
    dj_text_finish(&rows);
    return checked;
}

/* Releases with the same tracker are compared with its output, each with its own
 * dialect. */
static const struct {
    const char *release;
    const char *answers;
} releases[] = {
    {"6.0", "6.0"}, {"7.0", "7.0"}, {"7.1", "7.1"}, {"9", "9-10"},  {"9-10", "9-10"},
    {"10", "9-10"}, {"11", "11"},   {"12", "12L"},  {"12L", "12L"}, {"13", "13"},
    {"14", "13"},   {"15", "13"},   {"16", "16"},
};
enum { RELEASES = sizeof(releases) / sizeof(releases[0]) };

/* Checks every object in the file. objects[i] counts those that were compared with
 * releases[i]. */
static size_t check_file(const char *path, size_t objects[RELEASES])
{
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    char *object = NULL;
    size_t capacity = 0;
    size_t lines = 0;
    size_t blocks = 0;
    while (getline(&object, &capacity, file) > 0) {
        char *answers = string_of(object, "release");
        cr_assert_not_null(answers);
        lines++;
        for (size_t i = 0; i < RELEASES; i++) {
            if (strcmp(releases[i].answers, answers) == 0) {
                blocks += check_object(object, dj_frame_dialect_find(releases[i].release),
                                       lines);
                objects[i]++;
            }
        }
        free(answers);
    }
    free(object);
    fclose(file);
    return blocks;
}

Test(vectors, packed_vectors_equal_hwuis_output)
{
    size_t objects[RELEASES] = {0};
    /* 195 process blocks: 120, and 75 of releases with the same tracker. 150 window
     * blocks: the same without 6.0 … 7.1. 30 framestats blocks: three sequences per
     * release. */
    cr_assert_eq(check_file(vectors_path, objects), 195 + 150 + 30);
    for (size_t i = 0; i < RELEASES; i++) {
        cr_assert_eq(objects[i], 15, "%s", releases[i].release);
    }
}

Test(vectors, corpus_vectors_equal_hwuis_output)
{
    const char *corpus = getenv("DEJANK_CORPUS");
    if (corpus == NULL) {
        cr_skip_test("DEJANK_CORPUS is not set");
    }
    size_t objects[RELEASES] = {0};
    static const char *const files[] = {"6.0", "7.0", "7.1", "9-10",
                                        "11",  "12L", "13",  "16"};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        char path[512];
        snprintf(path, sizeof(path), "%s/vectors/android-%s.jsonl", corpus, files[i]);
        cr_assert_gt(check_file(path, objects), 0);
    }
    for (size_t i = 0; i < RELEASES; i++) {
        cr_assert_geq(objects[i], 15, "%s", releases[i].release);
    }
}
