#include "support.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/lines.h"
#include "gfxinfo/print.h"

struct dj_dump dump;
struct dj_parse_report report;
struct dj_error err;

int parse_bytes(const char *text, size_t length)
{
    /* A buffer of exactly this size lets a sanitizer detect a read after its end. */
    char *exact = malloc(length > 0 ? length : 1);
    cr_assert_not_null(exact);
    memcpy(exact, text, length);
    err = (struct dj_error){0};
    dj_gfxinfo_dump_finish(&dump);
    int code = dj_gfxinfo_parse_dump(exact, length, &dump, &report, &err);
    free(exact);
    return code;
}

int parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

int parse_text(const struct dj_text *text)
{
    cr_assert_not(text->failed);
    return parse_bytes(dj_text_get(text), text->length);
}

void finish_reading(void)
{
    dj_gfxinfo_dump_finish(&dump);
}

const struct dj_parse_warning *warning_of(const char *words)
{
    for (size_t i = 0; i < report.warning_count && i < DJ_PARSE_WARNINGS; i++) {
        if (strstr(report.warning[i].message, words) != NULL) {
            return &report.warning[i];
        }
    }
    return NULL;
}

bool warned_of(const char *words)
{
    return warning_of(words) != NULL;
}

size_t warnings_in(const struct dj_parse_report *of)
{
    size_t count = of->warning_count;
    for (size_t i = 0; i < of->warning_count && i < DJ_PARSE_WARNINGS; i++) {
        count -= strncmp(of->warning[i].message, "the text ends within ", 21) == 0;
    }
    return count;
}

const struct dj_dump_process *only_process(void)
{
    cr_assert_eq(dump.process_count, 1, "%zu processes", dump.process_count);
    return &dump.processes[0];
}

const struct dj_dump_window *only_window(void)
{
    cr_assert_eq(only_process()->window_count, 1, "%zu windows",
                 only_process()->window_count);
    return &only_process()->windows[0];
}

static const char *or_none(const char *string)
{
    return string != NULL ? string : "(none)";
}

static void describe_histogram(struct dj_text *out, const char *what,
                               const uint32_t *buckets, const uint64_t *missing,
                               size_t count)
{
    dj_text_format(out, "  %s:", what);
    for (size_t i = 0; i < count; i++) {
        if (dj_gfxinfo_bucket_is_missing(missing, i)) {
            dj_text_add(out, " -");
        } else {
            dj_text_format(out, " %u", buckets[i]);
        }
    }
    dj_text_add(out, "\n");
}

static void describe_block(struct dj_text *out, const struct dj_stats_block *block)
{
    if (!block->present) {
        return;
    }
    dj_text_format(out, "  block lines=%x since=%lld janky%%=%.4f,%.4f counters",
                   block->lines, (long long)block->stats.since_ns,
                   block->printed_janky_pct, block->printed_legacy_pct);
    for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
        dj_text_format(out, " %u", block->stats.counter[i]);
    }
    for (size_t i = 0; i < DJ_PERCENTILE_COUNT; i++) {
        dj_text_format(out, " p%u=%u,%u", dj_gfxinfo_percentiles[i],
                       block->printed_percentile_ms[i],
                       block->printed_gpu_percentile_ms[i]);
    }
    dj_text_add(out, "\n");
    describe_histogram(out, "histogram", block->stats.frame_histogram,
                       block->missing_frame, DJ_FRAME_BUCKETS);
    describe_histogram(out, "gpu", block->stats.gpu_histogram, block->missing_gpu,
                       DJ_GPU_BUCKETS);
}

static void describe_frame(struct dj_text *out, const struct dj_frame *frame)
{
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if (dj_frame_has(frame, (enum dj_column)i)) {
            dj_text_format(out, " %zu=%lld", i, (long long)frame->value[i]);
        } else {
            cr_assert_eq(frame->value[i], 0, "an unknown column has a value");
        }
    }
    dj_text_add(out, "\n");
}

static void describe_rows(struct dj_text *out, const struct dj_dump_window *window)
{
    dj_text_format(out, "  framestats inferred=%d beyond=%zu columns",
                   window->columns_inferred, window->rows_beyond);
    for (size_t i = 0; i < window->columns.count; i++) {
        dj_text_format(out, " %u", window->columns.column[i]);
    }
    for (size_t i = 0; i < window->vendor_count; i++) {
        dj_text_format(out, " %s@%zu", window->vendor[i].name,
                       window->vendor[i].position);
    }
    dj_text_add(out, "\n");
    for (size_t i = 0; i < window->frame_count; i++) {
        dj_text_add(out, "   row");
        for (size_t k = 0; k < window->vendor_count; k++) {
            const struct dj_number *number =
                &window->vendor_values[i * window->vendor_count + k];
            dj_text_format(out, number->known ? " v%lld" : " v-",
                           (long long)number->value);
        }
        describe_frame(out, &window->frames[i]);
    }
}

static void describe_window(struct dj_text *out, const struct dj_dump_window *window)
{
    dj_text_format(out, " window %s visibility=%d stats of %s\n", or_none(window->title),
                   window->visibility, or_none(window->stats_title));
    describe_block(out, &window->stats);
    if (window->has_frames) {
        describe_rows(out, window);
    }
    if (window->has_profile) {
        dj_text_format(out, "  profile of %d\n", window->profile_lacks_prepare ? 3 : 4);
    }
    for (size_t i = 0; i < window->profile_count; i++) {
        const struct dj_profile_row *row = &window->profile[i];
        dj_text_format(out, "   ms %.4f %.4f %.4f %.4f\n", (double)row->draw_ms,
                       (double)row->prepare_ms, (double)row->process_ms,
                       (double)row->execute_ms);
    }
}

static void describe_process(struct dj_text *out, const struct dj_dump_process *process,
                             unsigned parts)
{
    dj_text_format(out, "process %lld %s continues=%d unfinished=%d release=%s\n",
                   (long long)process->pid, or_none(process->name), process->continues,
                   process->unfinished,
                   process->dialect != NULL ? process->dialect->name : "(none)");
    dj_text_format(out, " notes %llx %lld %d %u %d %llu %lld/%lld %s %s\n pipeline %s\n",
                   (unsigned long long)process->not_recorded,
                   (long long)process->interval_ns, process->interval_assumed,
                   process->rows_kept, process->ended,
                   (unsigned long long)process->dropped, (long long)process->recovered,
                   (long long)process->expected, or_none(process->disabled),
                   or_none(process->cut_short), or_none(process->pipeline));
    describe_block(out, &process->stats);
    for (size_t i = 0; (parts & DESCRIBE_SECTIONS) != 0 && i < process->section_count;
         i++) {
        dj_text_format(out, " section at %zu: %s\n",
                       (parts & DESCRIBE_PLACES) != 0 ? process->sections[i].line : 0,
                       process->sections[i].text);
    }
    for (size_t i = 0; i < process->window_count; i++) {
        describe_window(out, &process->windows[i]);
    }
}

void describe(struct dj_text *out, const struct dj_dump *described, unsigned parts)
{
    dj_text_format(out, "dump %lld %lld not found: %s release=%s hints=%x %x %zu\n",
                   (long long)described->uptime_ms, (long long)described->realtime_ms,
                   or_none(described->not_found),
                   described->dialect != NULL ? described->dialect->name : "(none)",
                   described->evidence.hints, described->evidence.fitting,
                   described->evidence.columns);
    for (size_t i = 0; i < described->process_count; i++) {
        describe_process(out, &described->processes[i], parts);
    }
    for (size_t i = 0; i < described->graphicsstats_count; i++) {
        const struct dj_graphicsstats *entry = &described->graphicsstats[i];
        dj_text_format(out, "entry %s version=%lld uid=%lld %lld … %lld\n",
                       or_none(entry->package), (long long)entry->version,
                       (long long)entry->uid, (long long)entry->start_ms,
                       (long long)entry->end_ms);
        describe_block(out, &entry->stats);
    }
    for (size_t i = 0; i < described->davey_count; i++) {
        const struct dj_davey *davey = &described->daveys[i];
        dj_text_format(out, "davey at %zu of %lld: %lld ms",
                       (parts & DESCRIBE_PLACES) != 0 ? davey->line : 0,
                       (long long)davey->pid, (long long)davey->duration_ms);
        describe_frame(out, &davey->frame);
        for (size_t k = 0; k < davey->other_count; k++) {
            dj_text_format(out, "%s=%lld\n", davey->others[k].name,
                           (long long)davey->others[k].value);
        }
    }
    cr_assert_not(out->failed);
}

void describe_warnings(struct dj_text *out, const struct dj_parse_report *described)
{
    dj_text_format(out, "%zu warnings, %zu lines, %zu bytes, %zu rows, %zu of them bad\n",
                   described->warning_count, described->lines, described->bytes,
                   described->rows, described->rows_bad);
    dj_text_format(out, "refusal %d at %zu, %zu; not found at %zu, %zu\n",
                   (int)described->refusal, described->refusal_line,
                   described->refusal_byte, described->not_found_line,
                   described->not_found_byte);
    for (size_t i = 0; i < described->warning_count && i < DJ_PARSE_WARNINGS; i++) {
        dj_text_format(out, "line %zu, byte %zu: %s\n", described->warning[i].line,
                       described->warning[i].byte, described->warning[i].message);
    }
}

void expect_same_text(const struct dj_text *got, const struct dj_text *want,
                      const char *context, size_t number)
{
    const char *a = dj_text_get(got);
    const char *b = dj_text_get(want);
    while (*a != '\0' || *b != '\0') {
        size_t length_a = strcspn(a, "\n");
        size_t length_b = strcspn(b, "\n");
        cr_assert(length_a == length_b && memcmp(a, b, length_a) == 0,
                  "%s %zu:\n got %.*s\nwant %.*s", context, number, (int)length_a, a,
                  (int)length_b, b);
        a += length_a + (a[length_a] == '\n');
        b += length_b + (b[length_b] == '\n');
    }
}

#define UI_NAMES                                                                         \
    "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,"      \
    "AnimationStart,PerformTraversalsStart,DrawStart,"
#define RT_NAMES "SyncStart,IssueDrawCommandsStart,SwapBuffers,FrameCompleted,"
#define UI_NAMES_12                                                                      \
    "Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,"      \
    "AnimationStart,PerformTraversalsStart,DrawStart,FrameDeadline,"
#define BUFFER_NAMES "DequeueBufferDuration,QueueBufferDuration,"
#define LATE_NAMES "GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,"

/* Source: FrameInfo.h and FrameInfo.cpp of hwui in each release. Android 12 and 13
 * exchange two names. */
const struct columns column_sets[COLUMN_SETS] = {
    {"preview", 13, false, UI_NAMES RT_NAMES},
    {"6.0", 14, true, UI_NAMES "SyncQueued," RT_NAMES},
    {"7.1", 16, true, UI_NAMES "SyncQueued," RT_NAMES BUFFER_NAMES},
    {"11", 17, true, UI_NAMES "SyncQueued," RT_NAMES BUFFER_NAMES "GpuCompleted,"},
    {"12", 22, true,
     UI_NAMES_12
     "FrameInterval,FrameStartTime,SyncQueued," RT_NAMES BUFFER_NAMES LATE_NAMES},
    {"13", 23, true,
     UI_NAMES_12
     "FrameInterval,FrameStartTime,SyncQueued," RT_NAMES BUFFER_NAMES LATE_NAMES
     "CommandSubmissionCompleted,"},
    {"16", 24, true,
     UI_NAMES_12
     "FrameStartTime,FrameInterval,WorkloadTarget,SyncQueued," RT_NAMES BUFFER_NAMES
         LATE_NAMES "CommandSubmissionCompleted,"},
    {"16", 25, true,
     UI_NAMES_12 "FrameStartTime,FrameInterval,WorkloadTarget,AnimationTime,"
                 "SyncQueued," RT_NAMES BUFFER_NAMES LATE_NAMES
                 "CommandSubmissionCompleted,"},
};

static const struct {
    const char *name;
    /* Time after IntendedVsync in ns. If negative, the negated number is the value
     * itself. */
    int64_t after_ns;
} stamps[] = {
    {"IntendedVsync", 0},
    {"Vsync", 0},
    {"HandleInputStart", 310123},
    {"AnimationStart", 420234},
    {"PerformTraversalsStart", 530345},
    {"DrawStart", 1840456},
    {"FrameDeadline", 16666667},
    {"FrameStartTime", 0},
    {"FrameInterval", -16666667},
    {"WorkloadTarget", -16666667},
    {"AnimationTime", 1},
    {"SyncQueued", 3150567},
    {"SyncStart", 3260678},
    {"IssueDrawCommandsStart", 3770789},
    {"SwapBuffers", 6180890},
    {"FrameCompleted", 7890123},
    {"DequeueBufferDuration", -271000},
    {"QueueBufferDuration", -483000},
    {"GpuCompleted", 7890001},
    {"SwapBuffersCompleted", 7800123},
    {"DisplayPresentTime", 33333334},
    {"CommandSubmissionCompleted", 6180890},
};

int64_t sample_value(const char *name, size_t n)
{
    int64_t vsync_ns = INT64_C(76818291087661) + (int64_t)n * 16666667;
    for (size_t i = 0; i < sizeof(stamps) / sizeof(stamps[0]); i++) {
        if (strcmp(stamps[i].name, name) == 0) {
            return stamps[i].after_ns < 0 ? -stamps[i].after_ns
                                          : vsync_ns + stamps[i].after_ns;
        }
    }
    if (strcmp(name, "OldestInputEvent") == 0) {
        return n % 3 == 0 ? vsync_ns - 5000000 : INT64_MAX;
    }
    if (strcmp(name, "NewestInputEvent") == 0) {
        return n % 3 == 0 ? vsync_ns - 1000000 : 0;
    }
    if (strcmp(name, "FrameTimelineVsyncId") == 0) {
        return 70123 + (int64_t)n;
    }
    return strcmp(name, "Flags") == 0 ? (int64_t)(n % 5 == 4 ? 2 : 0) : 0;
}

/* Returns name n of a set. If true_name is false, this is the name that the header
 * prints, which may be exchanged with another. */
static void column_name(const struct columns *set, size_t n, bool true_name,
                        char name[40])
{
    const char *at = set->names;
    for (size_t i = 0; i < n; i++) {
        at = strchr(at, ',') + 1;
    }
    size_t length = strcspn(at, ",");
    memcpy(name, at, length);
    name[length] = '\0';
    bool swapped = set->count == 22 || set->count == 23;
    if (true_name && swapped && strcmp(name, "FrameInterval") == 0) {
        strncpy(name, "FrameStartTime", 40);
    } else if (true_name && swapped && strcmp(name, "FrameStartTime") == 0) {
        strncpy(name, "FrameInterval", 40);
    }
}

void append_row(struct dj_text *out, const struct columns *set, size_t n)
{
    for (size_t i = 0; i < set->count; i++) {
        char name[40];
        column_name(set, i, true, name);
        dj_text_append_int(out, sample_value(name, n));
        dj_text_add(out, ",");
    }
}

void append_framestats(struct dj_text *out, const struct columns *set, size_t rows)
{
    dj_text_add(out, "---PROFILEDATA---\n");
    if (set->header) {
        dj_text_format(out, "%s\n", set->names);
    }
    for (size_t i = 0; i < rows; i++) {
        append_row(out, set, i);
        dj_text_add(out, "\n");
    }
    dj_text_add(out, "---PROFILEDATA---\n\n");
}

static const struct dj_dialect *dialect_of(const struct columns *set)
{
    const struct dj_dialect *dialect = dj_frame_dialect_find(set->release);
    cr_assert_not_null(dialect, "%s", set->release);
    return dialect;
}

static void append_stats(struct dj_text *out, const struct columns *set)
{
    struct dj_stats stats = {.since_ns = 424242};
    for (size_t i = 0; i < DJ_COUNTER_COUNT; i++) {
        stats.counter[i] = (uint32_t)(1000 / (i + 1));
    }
    for (size_t i = 0; i < DJ_FRAME_BUCKETS; i++) {
        stats.frame_histogram[i] = (uint32_t)(i < 20 ? 40 - 2 * i : i % 40 == 0);
    }
    for (size_t i = 0; i < DJ_GPU_BUCKETS; i++) {
        stats.gpu_histogram[i] = (uint32_t)(i < 6 ? 100 + i : 0);
    }
    dj_gfxinfo_print_stats(out, &stats, dialect_of(set));
    dj_text_add(out, "\n");
}

static void append_window(struct dj_text *out, const struct columns *set,
                          const char *name, unsigned hash, size_t rows)
{
    dj_text_format(out,
                   "\n\tcom.example.app/com.example.app.%s/"
                   "android.view.ViewRootImpl@%x (visibility=%d)\n",
                   name, hash, rows % 2 == 0 ? 0 : 8);
    dj_text_add(out, "\tDraw\tPrepare\tProcess\tExecute\n");
    for (size_t i = 0; i < rows; i++) {
        dj_text_format(out, "\t%zu.%02zu\t0.4%zu\t2.%02zu\t50.00\n", i, i * 7, i, i * 3);
    }
    if (dialect_of(set)->window_stats) {
        dj_text_format(out, "\nWindow: com.example.app/com.example.app.%s", name);
        append_stats(out, set);
    }
    dj_text_add(out, "\n");
    append_framestats(out, set, rows);
}

void append_sample(struct dj_text *out, const struct columns *set, int64_t uptime_ms)
{
    dj_text_format(out,
                   "Applications Graphics Acceleration Info:\nUptime: %lld Realtime: "
                   "%lld\n\n** Graphics info for pid 2599 [com.example.app] **\n",
                   (long long)uptime_ms, (long long)uptime_ms + 17);
    append_stats(out, set);
    dj_text_add(out, "\nCaches:\nCurrent memory usage / total memory usage (bytes):\n"
                     "  TextureCache          1234 /  5678\nTotal memory usage:\n"
                     "  1234 bytes, 0.00 MB\n\nPipeline=Skia (OpenGL)\n"
                     "\nProfile data in ms:\n");
    append_window(out, set, "Main", 0x1d5ddd6, 6);
    append_window(out, set, "Popup", 0xabc, 3);
    dj_text_add(out, "View hierarchy:\n\n  com.example.app/com.example.app.Main/"
                     "android.view.ViewRootImpl@1d5ddd6\n  12 views, 3.45 kB of "
                     "display lists\n\nTotal ViewRootImpl: 1\nTotal Views:        12\n"
                     "Total DisplayList:  3.45 kB\n\n");
    cr_assert_not(out->failed);
}

void expect_sample_row(const struct dj_dump_window *window, const struct columns *set,
                       size_t n)
{
    cr_assert_lt(n, window->frame_count, "row %zu of %zu", n, window->frame_count);
    for (size_t i = 0; i < set->count; i++) {
        char name[40];
        enum dj_column column;
        column_name(set, i, true, name);
        cr_assert(dj_frame_column_find(name, strlen(name), &column), "%s", name);
        cr_assert(dj_frame_has(&window->frames[n], column), "row %zu lacks %s", n, name);
        cr_assert_eq(window->frames[n].value[column], sample_value(name, n),
                     "row %zu, %s", n, name);
    }
    cr_assert_eq((size_t)__builtin_popcountll(window->frames[n].known), set->count);
}

void append_with_prefix(struct dj_text *out, const struct dj_text *text,
                        const char *before, const char *after)
{
    const char *at = dj_text_get(text);
    while (*at != '\0') {
        size_t length = strcspn(at, "\n");
        dj_text_add(out, before);
        dj_text_append(out, at, length);
        dj_text_add(out, after);
        at += length + (at[length] == '\n');
    }
}

static size_t break_at(const char *line, size_t length, size_t width, bool soft)
{
    size_t at = width;
    if (length <= width) {
        return length;
    }
    while (soft && at > 0 && line[at] != ' ') {
        at--;
    }
    return at > 0 ? at : width;
}

void wrap(struct dj_text *out, const struct dj_text *text, size_t width, bool soft)
{
    const char *at = dj_text_get(text);
    while (*at != '\0') {
        size_t length = strcspn(at, "\n");
        do {
            size_t piece = break_at(at, length, width, soft);
            dj_text_append(out, at, piece);
            dj_text_add(out, "\n");
            piece += soft && piece < length && at[piece] == ' ';
            at += piece;
            length -= piece;
        } while (length > 0);
        at += *at == '\n';
    }
}
