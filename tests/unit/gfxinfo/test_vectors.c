/* What hwui's own JankTracker of Android 11 printed for generated frames: ours must print
 * the same bytes. The file is read in place, from the folder DEJANK_CORPUS names. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/tracker.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"

enum { FRAMES_KEPT = 120 };

/* Where the value of a key of a flat JSON object begins; NULL where it has none. */
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

/* The string of a key, unescaped (only \n occurs); NULL where there is none. The caller
 * frees it. */
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

/* The text holds `want` right after `before`. */
static void expect_after(const char *what, size_t line, const char *text,
                         const char *before, const char *want)
{
    const char *got = strstr(text, before);
    cr_assert_not_null(got, "object %zu, %s: no \"%s\"", line, what, before);
    got += strlen(before);
    size_t length = strlen(want);
    size_t same = 0;
    while (same < length && got[same] == want[same]) {
        same++;
    }
    cr_assert_eq(same, length,
                 "object %zu, %s: differs at byte %zu: got \"%.60s\", want \"%.60s\"",
                 line, what, same, got + same, want + same);
    cr_assert_eq(got[length], '\n', "object %zu, %s: its last line goes on", line, what);
}

static void check_object(const char *object, size_t line)
{
    static struct dj_frame frames[1000];
    const struct dj_dialect *dialect = dj_dialect_find("11");
    int64_t interval_ns = number_of(object, "vsync_ns");
    size_t count = frames_of(object, &dialect->columns, frames, 1000);
    cr_assert_gt(count, 0);

    struct dj_tracker tracker;
    dj_tracker_init(&tracker, dialect, interval_ns);
    tracker.forgiveness_ns = dj_forgiveness_ns(number_of(object, "sf_offset_ns"),
                                               number_of(object, "app_offset_ns"));
    struct dj_stats stats = {.since_ns = 424242};
    for (size_t i = 0; i < count; i++) {
        struct dj_verdict verdict;
        if (dj_tracker_judge(&tracker, &frames[i], &verdict)) {
            dj_stats_add(&stats, &verdict);
        }
    }

    size_t skip = count > FRAMES_KEPT ? count - FRAMES_KEPT : 0;
    struct dj_dump_window window = {
        .title = "title",
        .stats_title = "win",
        .stats = {.present = true, .stats = stats, .lines = ~UINT32_C(0)},
        .has_frames = true,
        .frames = frames + skip,
        .frame_count = count - skip,
    };
    struct dj_dump_process process = {.pid = 1,
                                      .stats = window.stats,
                                      .windows = &window,
                                      .window_count = 1,
                                      .expected = -1};
    struct dj_text text = {0};
    dj_print_process(&text, &process,
                     &(struct dj_print_options){.dialect = dialect, .framestats = true});

    static const struct {
        const char *key;
        const char *before; /* what the vector leaves out in front */
    } blocks[] = {{"process", "** Graphics info for pid 1 **\n\n"},
                  {"window", "(visibility=0)"},
                  {"framestats", "\n\n\n"}};
    for (size_t i = 0; i < 3; i++) {
        char *want = string_of(object, blocks[i].key);
        cr_assert(want != NULL || i == 2);
        if (want != NULL) {
            expect_after(blocks[i].key, line, dj_text_get(&text), blocks[i].before, want);
        }
        free(want);
    }
    dj_text_finish(&text);
}

Test(vectors, android_11)
{
    const char *corpus = getenv("DEJANK_CORPUS");
    if (corpus == NULL) {
        cr_skip_test("DEJANK_CORPUS is not set");
    }
    char path[512];
    snprintf(path, sizeof(path), "%s/vectors/android-11.jsonl", corpus);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    char *object = NULL;
    size_t capacity = 0;
    size_t line = 0;
    while (getline(&object, &capacity, file) > 0) {
        check_object(object, ++line);
    }
    cr_assert_eq(line, 15);
    free(object);
    fclose(file);
}
