#include "gfxinfo/lines.h"

#include <string.h>

#include "base/count_of.h"

/* Value of last_api for lines that the newest release still prints. */
enum { NEWEST = 1 << 16 };

const unsigned dj_gfxinfo_percentiles[DJ_PERCENTILE_COUNT] = {50, 90, 95, 99};

/* Source: JankTracker.cpp and ProfileData.cpp of each release. M Preview, the first
 * release with these lines, has API level 22. */
static const struct dj_line lines[] = {
    {"Stats since:", DJ_LINE_SINCE, 0, 22, NEWEST},
    {"Total frames rendered:", DJ_LINE_COUNTER, DJ_COUNTER_TOTAL, 22, NEWEST},
    {"Janky frames:", DJ_LINE_JANKY, DJ_COUNTER_JANKY, 22, NEWEST},
    {"Janky frames (legacy):", DJ_LINE_JANKY, DJ_COUNTER_JANKY_LEGACY, 31, NEWEST},
    {"50th percentile:", DJ_LINE_PERCENTILE, 0, 24, NEWEST},
    {"90th percentile:", DJ_LINE_PERCENTILE, 1, 22, NEWEST},
    {"95th percentile:", DJ_LINE_PERCENTILE, 2, 22, NEWEST},
    {"99th percentile:", DJ_LINE_PERCENTILE, 3, 22, NEWEST},
    {"Number Missed Vsync:", DJ_LINE_COUNTER, DJ_COUNTER_MISSED_VSYNC, 22, NEWEST},
    {"Number High input latency:", DJ_LINE_COUNTER, DJ_COUNTER_HIGH_INPUT_LATENCY, 22,
     NEWEST},
    {"Number Slow UI thread:", DJ_LINE_COUNTER, DJ_COUNTER_SLOW_UI_THREAD, 22, NEWEST},
    {"Number Slow bitmap uploads:", DJ_LINE_COUNTER, DJ_COUNTER_SLOW_BITMAP_UPLOADS, 22,
     NEWEST},
    /* Android 6.0 renamed this counter from "Slow draw" to "Slow issue draw commands". */
    {"Number Slow draw:", DJ_LINE_COUNTER, DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS, 22, 22},
    {"Number Slow issue draw commands:", DJ_LINE_COUNTER,
     DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS, 23, NEWEST},
    {"Number Frame deadline missed:", DJ_LINE_COUNTER, DJ_COUNTER_DEADLINE_MISSED, 28,
     NEWEST},
    {"Number Frame deadline missed (legacy):", DJ_LINE_COUNTER,
     DJ_COUNTER_DEADLINE_MISSED_LEGACY, 31, NEWEST},
    {"HISTOGRAM:", DJ_LINE_HISTOGRAM, 0, 24, NEWEST},
    {"50th gpu percentile:", DJ_LINE_GPU_PERCENTILE, 0, 30, NEWEST},
    {"90th gpu percentile:", DJ_LINE_GPU_PERCENTILE, 1, 30, NEWEST},
    {"95th gpu percentile:", DJ_LINE_GPU_PERCENTILE, 2, 30, NEWEST},
    {"99th gpu percentile:", DJ_LINE_GPU_PERCENTILE, 3, 30, NEWEST},
    {"GPU HISTOGRAM:", DJ_LINE_GPU_HISTOGRAM, 0, 30, NEWEST},
};

_Static_assert(COUNT_OF(lines) == DJ_LINE_COUNT, "DJ_LINE_COUNT is the number of lines");
_Static_assert(DJ_LINE_COUNT <= 32, "a block's mask has one bit per line");

const struct dj_line *dj_gfxinfo_line_at(size_t n)
{
    return &lines[n];
}

uint32_t dj_gfxinfo_lines_of_dialect(const struct dj_dialect *dialect)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        if (dialect->api >= lines[i].first_api && dialect->api <= lines[i].last_api) {
            mask |= UINT32_C(1) << i;
        }
    }
    return mask;
}

uint32_t dj_gfxinfo_lines_of_kind(enum dj_line_kind kind)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        if (lines[i].kind == kind) {
            mask |= UINT32_C(1) << i;
        }
    }
    return mask;
}

uint32_t dj_lines_of_legacy_rule(void)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        bool counts = lines[i].kind == DJ_LINE_JANKY || lines[i].kind == DJ_LINE_COUNTER;
        if (counts && (lines[i].field == DJ_COUNTER_JANKY_LEGACY ||
                       lines[i].field == DJ_COUNTER_DEADLINE_MISSED_LEGACY)) {
            mask |= UINT32_C(1) << i;
        }
    }
    return mask;
}

uint32_t dj_gfxinfo_lines_without_frame_times(void)
{
    uint32_t mask = dj_gfxinfo_lines_of_kind(DJ_LINE_SINCE);
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        if (lines[i].kind == DJ_LINE_COUNTER && lines[i].field == DJ_COUNTER_TOTAL) {
            mask |= UINT32_C(1) << i;
        }
    }
    return mask;
}

size_t dj_lines_find(const char *text, size_t length)
{
    /* The first characters of all prefixes. This check is fast and excludes most lines
     * of a text. */
    if (length == 0 || memchr("STJN59HG", text[0], 8) == NULL) {
        return DJ_LINE_COUNT;
    }
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        size_t prefix =
            lines[i].prefix[0] == text[0] ? strlen(lines[i].prefix) : SIZE_MAX;
        if (length >= prefix && memcmp(text, lines[i].prefix, prefix) == 0) {
            return i;
        }
    }
    return DJ_LINE_COUNT;
}

bool dj_lines_is_truncated_prefix(const char *text, size_t length)
{
    for (size_t i = 0; i < DJ_LINE_COUNT; i++) {
        if (length < strlen(lines[i].prefix) &&
            memcmp(text, lines[i].prefix, length) == 0) {
            return true;
        }
    }
    return false;
}
