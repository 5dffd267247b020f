#include "gfxinfo/release.h"

#include <limits.h>
#include <string.h>

#include "gfxinfo/lines.h"

/* A block with fewer lines may be a selection, from which a person removed lines. */
enum { LINES_OF_A_WHOLE_BLOCK = 9 };

/* Returns the columns of the first window that has any, or NULL if there is none. */
static const struct dj_column_list *find_columns(const struct dj_dump_process *process)
{
    for (size_t i = 0; i < process->window_count; i++) {
        if (process->windows[i].columns.count > 0) {
            return &process->windows[i].columns;
        }
    }
    return NULL;
}

/* Finds the releases with the columns of the process. The order of the columns does not
 * matter, because a block without rows does not show whether two labels are swapped. */
static void infer_from_columns(const struct dj_dump_process *process,
                               struct dj_release_evidence *evidence)
{
    const struct dj_column_list *columns = find_columns(process);
    uint32_t nearest = 0;
    if (columns == NULL) {
        return;
    }
    uint64_t mask = dj_frame_column_mask(columns);
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        uint64_t own = dj_frame_column_mask(&dj_frame_dialect_at(i)->columns);
        if (own != 0 && own == mask) {
            evidence->fitting |= UINT32_C(1) << i;
        } else if (own != 0 && (own & ~mask) == 0) {
            nearest = UINT32_C(1) << i;
        }
    }
    evidence->columns = columns->count;
    if (evidence->fitting != 0) {
        evidence->hints = DJ_HINT_COLUMNS;
    } else if (nearest != 0) {
        evidence->fitting = nearest;
        evidence->hints = DJ_HINT_COLUMNS | DJ_HINT_NEWER;
    }
}

/* Returns the lines of the process's statistics, otherwise of the first window that has
 * statistics, otherwise 0. */
static uint32_t get_lines(const struct dj_dump_process *process)
{
    for (size_t i = 0; !process->stats.present && i < process->window_count; i++) {
        if (process->windows[i].stats.present) {
            return process->windows[i].stats.lines;
        }
    }
    return process->stats.present ? process->stats.lines : 0;
}

/* Returns whether a line "Window: TITLE" precedes a statistics block. */
static bool has_window_stats(const struct dj_dump_process *process)
{
    for (size_t i = 0; i < process->window_count; i++) {
        if (process->windows[i].stats_title != NULL) {
            return true;
        }
    }
    return false;
}

/* Returns a mask of all lines from the first to the last one present. Lines outside this
 * range may be missing because the block was truncated. */
static uint32_t compute_line_range(uint32_t lines)
{
    uint32_t last = UINT32_C(1) << (31 - __builtin_clz(lines));
    uint32_t first = lines & (0 - lines);
    return (last | (last - 1)) & ~(first - 1);
}

/* Returns how many lines are missing: lines that the dialect prints between the first and
 * the last line in `lines`, but that are not in `lines`. */
static int count_missing(const struct dj_dialect *dialect, uint32_t lines)
{
    return __builtin_popcount(dj_gfxinfo_lines_of_dialect(dialect) &
                              compute_line_range(lines) & ~lines);
}

static bool can_print(const struct dj_dialect *dialect, uint32_t lines, bool window_stats)
{
    return (lines & ~dj_gfxinfo_lines_of_dialect(dialect)) == 0 &&
           (!window_stats || dialect->window_stats);
}

/* Finds the releases that print all lines of the block. If there are several, uses the
 * releases for which the fewest lines are missing in the block. So a release is found
 * even if one line was removed from the block. */
static void infer_from_lines(const struct dj_dump_process *process,
                             struct dj_release_evidence *evidence)
{
    uint32_t lines = get_lines(process);
    bool whole = __builtin_popcount(lines) >= LINES_OF_A_WHOLE_BLOCK;
    uint32_t fitting = 0;
    uint32_t all = 0;
    int least = INT_MAX;
    for (size_t i = 0; lines != 0 && dj_frame_dialect_at(i) != NULL; i++) {
        const struct dj_dialect *dialect = dj_frame_dialect_at(i);
        uint32_t bit = UINT32_C(1) << i;
        int missing = whole ? count_missing(dialect, lines) : 0;
        all |= dj_gfxinfo_lines_of_dialect(dialect) != 0 ? bit : 0;
        if (can_print(dialect, lines, has_window_stats(process)) && missing <= least) {
            fitting = (missing < least ? 0 : fitting) | bit;
            least = missing;
        }
    }
    uint32_t both = evidence->hints != 0 ? fitting & evidence->fitting : fitting;
    if (fitting != all && both != 0) {
        evidence->fitting = both;
        evidence->hints |= DJ_HINT_LINES;
    }
}

/* Returns the first line that the release prints after the last line in `lines`, or 0 if
 * there is none. */
static uint32_t find_next_line(uint32_t printed, uint32_t lines)
{
    uint32_t later = printed & ~(compute_line_range(lines) | ((lines & (0 - lines)) - 1));
    return later & (0 - later);
}

uint32_t dj_release_next_lines(uint32_t lines, uint32_t other_lines, bool graphicsstats)
{
    uint32_t next_lines = 0;
    int least = INT_MAX;
    bool whole = lines == 0;
    for (size_t i = 0; lines != 0 && dj_frame_dialect_at(i) != NULL; i++) {
        uint32_t printed = dj_gfxinfo_lines_of_dialect(dj_frame_dialect_at(i)) &
                           ~(graphicsstats ? dj_lines_of_legacy_rule() : 0);
        int missing =
            __builtin_popcount(printed & compute_line_range(lines | other_lines) &
                               ~(lines | other_lines)) +
            __builtin_popcount(printed & compute_line_range(lines) & ~lines);
        if (((lines | other_lines) & ~printed) != 0 || missing > least) {
            continue;
        }
        uint32_t next = find_next_line(printed, lines);
        whole = (missing == least && whole) || next == 0;
        next_lines = (missing < least ? 0 : next_lines) | next;
        least = missing;
    }
    return whole ? 0 : next_lines;
}

static bool has_text(const struct dj_dump_process *process, const char *text)
{
    for (size_t i = 0; i < process->section_count; i++) {
        if (strstr(process->sections[i].text, text) != NULL) {
            return true;
        }
    }
    return false;
}

/* Infers Android 4 or 5 if the process has no statistics. Android 6.0 and later print
 * statistics for each process with caches or rows of the simple dump. Android 4 is
 * recognized by its three columns or by display lists. */
static void infer_from_absence(const struct dj_dump_process *process,
                               struct dj_release_evidence *evidence)
{
    bool named = process->pid >= 0 || process->name != NULL;
    bool old = has_text(process, "DrawDisplayList");
    bool drew = has_text(process, "Total memory usage:");
    if (evidence->hints != 0 || get_lines(process) != 0 || !named) {
        return;
    }
    for (size_t i = 0; i < process->window_count; i++) {
        drew = drew || process->windows[i].has_profile;
        old = old || process->windows[i].profile_lacks_prepare;
    }
    for (size_t i = 0; drew && !old && dj_frame_dialect_at(i) != NULL; i++) {
        if (dj_frame_dialect_at(i) == dj_frame_dialect_find("5")) {
            evidence->hints = DJ_HINT_NO_STATS;
            evidence->fitting = UINT32_C(1) << i;
        }
    }
}

static struct dj_release_evidence collect_evidence(const struct dj_dump_process *process)
{
    struct dj_release_evidence evidence = {0};
    infer_from_columns(process, &evidence);
    infer_from_lines(process, &evidence);
    infer_from_absence(process, &evidence);
    return evidence;
}

/* Returns the oldest of these releases. The preview is returned only if no other release
 * fits, because few devices ran the preview. */
static const struct dj_dialect *choose_release(uint32_t fitting)
{
    const struct dj_dialect *preview = dj_frame_dialect_find("preview");
    const struct dj_dialect *picked = NULL;
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        bool fits = (fitting & (UINT32_C(1) << i)) != 0;
        if (fits && (picked == NULL || picked == preview)) {
            picked = dj_frame_dialect_at(i);
        }
    }
    return picked;
}

/* Returns the evidence of all processes together. It begins with the evidence of the
 * first process that has any. The evidence of another process is added only if at least
 * one release fits both. */
static struct dj_release_evidence collect_dump_evidence(const struct dj_dump *dump)
{
    struct dj_release_evidence all = {0};
    for (size_t i = 0; i < dump->process_count; i++) {
        struct dj_release_evidence one = collect_evidence(&dump->processes[i]);
        if (all.hints == 0) {
            all = one;
        } else if ((all.fitting & one.fitting) != 0) {
            all.fitting &= one.fitting;
            all.hints |= one.hints;
            all.columns = all.columns != 0 ? all.columns : one.columns;
        }
    }
    return all;
}

/* Returns whether a version such as "10", "8.1.0" or "7.1.2" belongs to the release
 * "10", "8" or "7.1". "12" belongs to both 12 and 12L. */
static bool matches_release(const char *stated, size_t length, const char *name)
{
    size_t own = strlen(name);
    if (length >= own && memcmp(stated, name, own) == 0) {
        return length == own || stated[own] == '.';
    }
    return own == length + 1 && memcmp(stated, name, length) == 0 && name[length] == 'L';
}

uint32_t dj_release_of_fingerprint(const char *fingerprint, size_t length)
{
    /* The format is BRAND/PRODUCT/DEVICE:RELEASE/ID/INCREMENTAL:TYPE/TAGS. */
    const char *end = fingerprint + length;
    const char *colon = memchr(fingerprint, ':', length);
    const char *slash = colon != NULL ? memchr(colon, '/', (size_t)(end - colon)) : NULL;
    uint32_t fitting = 0;
    for (size_t i = 0; slash != NULL && dj_frame_dialect_at(i) != NULL; i++) {
        bool fits = matches_release(colon + 1, (size_t)(slash - colon) - 1,
                                    dj_frame_dialect_at(i)->name);
        fitting |= fits ? UINT32_C(1) << i : 0;
    }
    return fitting;
}

static void add_stated(struct dj_release_evidence *evidence, uint32_t stated)
{
    bool sure = evidence->hints != 0 && (evidence->hints & DJ_HINT_NEWER) == 0;
    uint32_t both = sure ? evidence->fitting & stated : stated;
    if (both != 0) {
        evidence->fitting = both;
        evidence->hints |= DJ_HINT_FINGERPRINT;
    } else if (stated != 0) {
        evidence->hints |= DJ_HINT_CONTRADICTION;
    }
}

void dj_release_infer(struct dj_dump *dump, uint32_t stated)
{
    dump->evidence = collect_dump_evidence(dump);
    add_stated(&dump->evidence, stated);
    dump->dialect =
        dump->evidence.hints != 0 ? choose_release(dump->evidence.fitting) : NULL;
    dump->dialect_inferred =
        dump->dialect != NULL && (dump->evidence.hints & DJ_HINT_FINGERPRINT) == 0;
    for (size_t i = 0; i < dump->process_count; i++) {
        struct dj_dump_process *process = &dump->processes[i];
        struct dj_release_evidence own = collect_evidence(process);
        bool agrees = own.hints == 0 || (own.fitting & dump->evidence.fitting) != 0;
        process->dialect = agrees ? dump->dialect : choose_release(own.fitting);
    }
}

void dj_gfxinfo_release_set(struct dj_dump *dump, const struct dj_dialect *dialect)
{
    dump->dialect = dialect;
    dump->dialect_inferred = false;
    for (size_t i = 0; i < dump->process_count; i++) {
        dump->processes[i].dialect = dialect;
    }
}

static void append_fitting(struct dj_text *text, uint32_t fitting)
{
    size_t count = (size_t)__builtin_popcount(fitting);
    for (size_t i = 0; i < count; i++, fitting &= fitting - 1) {
        dj_text_add(text, i == 0 ? ": " : dj_text_append_separator(i, count));
        dj_text_add(text, dj_frame_dialect_at((size_t)__builtin_ctz(fitting))->name);
    }
}

void dj_gfxinfo_release_describe(struct dj_text *text,
                                 const struct dj_release_evidence *evidence)
{
    static const struct {
        uint32_t hint;
        const char *words;
    } hints[] = {
        {DJ_HINT_NEWER, "more than any known release"},
        {DJ_HINT_LINES, "the lines of its statistics"},
        {DJ_HINT_NO_STATS, "frames but no statistics"},
        {DJ_HINT_FINGERPRINT, "the build fingerprint"},
        {DJ_HINT_CONTRADICTION, "contradicts the build fingerprint"},
    };
    if (evidence->hints == 0) {
        return;
    }
    const char *separator = "";
    if ((evidence->hints & DJ_HINT_COLUMNS) != 0) {
        dj_text_format(text, "%zu columns", evidence->columns);
        separator = ", ";
    }
    for (size_t i = 0; i < COUNT_OF(hints); i++) {
        if ((evidence->hints & hints[i].hint) != 0) {
            dj_text_add(text, separator);
            dj_text_add(text, hints[i].words);
            separator = ", ";
        }
    }
    append_fitting(text, evidence->fitting);
}
