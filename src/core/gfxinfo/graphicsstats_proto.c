#include "gfxinfo/graphicsstats_proto.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfxinfo/buckets.h"
#include "gfxinfo/graphicsstats_fields.h"
#include "gfxinfo/lines.h"

struct reader {
    const char *bytes;
    struct dj_dump *dump;
    struct dj_parse_report *report;
    bool failed;         /* Whether an allocation failed. */
    size_t unknown;      /* Number of fields that no known release has. */
    size_t unknown_byte; /* Byte offset of the first unknown field. */
    uint32_t unknown_number;
};

/* The graphicsstats entry that is being read: the frames of one package on one day. */
struct entry {
    struct dj_graphicsstats stats;
    bool has_package, has_counters;
    /* Number of buckets read: [false] for frame times, [true] for GPU times. */
    size_t bucket_count[2];
    /* Whether a bucket was ignored because no release has its label or its number is
     * invalid. */
    bool bucket_lost[2];
};

static void warn(struct reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void warn(struct reader *reader, const char *at, const char *format, ...)
{
    struct dj_parse_report *report = reader->report;
    if (report->warning_count < DJ_PARSE_WARNINGS) {
        struct dj_parse_warning *warning = &report->warning[report->warning_count];
        va_list arguments;
        va_start(arguments, format);
        warning->line = 0;
        warning->byte = (size_t)(at - reader->bytes);
        vsnprintf(warning->message, sizeof(warning->message), format, arguments);
        va_end(arguments);
    }
    report->warning_count++;
}

/* Reads one field into *into. Returns false to stop reading the message. */
typedef bool read_field_function(struct reader *reader,
                                 const struct dj_graphicsstats_field *field, void *into);

/* Calls read_field for each field of a message. Returns false, after a warning, if the
 * message or a message inside it is truncated or damaged. */
static bool read_fields(struct reader *reader, struct dj_graphicsstats_message message,
                        const char *what, read_field_function *read_field, void *into)
{
    struct dj_graphicsstats_field field;
    enum dj_proto_outcome outcome;
    while ((outcome = dj_graphicsstats_fields_read(&message, &field)) == DJ_PROTO_FIELD) {
        if (!read_field(reader, &field, into)) {
            return false;
        }
    }
    if (outcome == DJ_PROTO_INVALID) {
        warn(reader, message.at, "%s is damaged: expected a protobuf field here", what);
    } else if (outcome == DJ_PROTO_TRUNCATED || message.truncated) {
        warn(reader, message.end, "%s is truncated here", what);
    }
    return outcome == DJ_PROTO_END && !message.truncated;
}

static void count_unknown(struct reader *reader,
                          const struct dj_graphicsstats_field *field)
{
    if (reader->unknown == 0) {
        reader->unknown_byte = (size_t)(field->at - reader->bytes);
        reader->unknown_number = field->number;
    }
    reader->unknown++;
}

/* Reads a number of frames, which the protocol stores as a non-negative int32. */
static bool read_count(struct reader *reader, const struct dj_graphicsstats_field *field,
                       uint32_t *count)
{
    if (field->value > INT32_MAX) {
        warn(reader, field->at, "invalid count: expected 0 to 2147483647, found %lld",
             (long long)field->value);
        return false;
    }
    *count = (uint32_t)field->value;
    return true;
}

static const struct {
    enum dj_counter counter;
    const char *line; /* The line of the text form with the same counter. */
} counters[] = {
    {DJ_COUNTER_TOTAL, "Total frames rendered:"},
    {DJ_COUNTER_JANKY, "Janky frames:"},
    {DJ_COUNTER_MISSED_VSYNC, "Number Missed Vsync:"},
    {DJ_COUNTER_HIGH_INPUT_LATENCY, "Number High input latency:"},
    {DJ_COUNTER_SLOW_UI_THREAD, "Number Slow UI thread:"},
    {DJ_COUNTER_SLOW_BITMAP_UPLOADS, "Number Slow bitmap uploads:"},
    {DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS, "Number Slow issue draw commands:"},
    {DJ_COUNTER_DEADLINE_MISSED, "Number Frame deadline missed:"},
};
enum { COUNTER_FIELDS = COUNT_OF(counters) };

static uint32_t get_line_bit(const char *prefix)
{
    return UINT32_C(1) << dj_lines_find(prefix, strlen(prefix));
}

static bool read_counter(struct reader *reader,
                         const struct dj_graphicsstats_field *field, void *into)
{
    struct dj_stats_block *block = into;
    if (field->number > COUNTER_FIELDS || field->wire != DJ_PROTO_VARINT) {
        count_unknown(reader, field);
        return true;
    }
    size_t n = field->number - 1;
    if (read_count(reader, field, &block->stats.counter[counters[n].counter])) {
        block->lines |= get_line_bit(counters[n].line);
    }
    return true;
}

struct bucket {
    uint32_t label_ms, count;
    bool lost; /* Whether the label or the count is invalid. */
};

static bool read_bucket_field(struct reader *reader,
                              const struct dj_graphicsstats_field *field, void *into)
{
    struct bucket *bucket = into;
    if (field->number > 2 || field->wire != DJ_PROTO_VARINT) {
        count_unknown(reader, field);
        return true;
    }
    if (!read_count(reader, field,
                    field->number == 1 ? &bucket->label_ms : &bucket->count)) {
        bucket->lost = true;
    }
    return true;
}

static bool read_bucket(struct reader *reader, const struct dj_graphicsstats_field *field,
                        struct entry *entry, bool gpu)
{
    struct bucket bucket = {0};
    size_t n;
    if (!read_fields(reader, field->span, "a histogram", read_bucket_field, &bucket)) {
        return false;
    }
    entry->bucket_count[gpu]++;
    if (!bucket.lost && !dj_buckets_find(gpu, bucket.label_ms, &n)) {
        warn(reader, field->at,
             "ignored histogram bucket %ums, which no known release has",
             bucket.label_ms);
        bucket.lost = true;
    }
    if (bucket.lost) {
        entry->bucket_lost[gpu] = true;
        return true;
    }
    struct dj_stats *stats = &entry->stats.stats.stats;
    (gpu ? stats->gpu_histogram : stats->frame_histogram)[n] = bucket.count;
    return true;
}

static bool read_package(struct reader *reader,
                         const struct dj_graphicsstats_field *field, struct entry *entry)
{
    const struct dj_graphicsstats_message *span = &field->span;
    if (span->truncated) {
        warn(reader, span->end, "a package name is truncated here");
        return false;
    }
    free(entry->stats.package);
    entry->stats.package = dj_text_copy(span->at, (size_t)(span->end - span->at));
    reader->failed = entry->stats.package == NULL;
    entry->has_package = !reader->failed && entry->stats.package[0] != '\0';
    return !reader->failed;
}

static bool read_entry_field(struct reader *reader,
                             const struct dj_graphicsstats_field *field, void *into)
{
    struct entry *entry = into;
    if (!dj_graphicsstats_fields_is_known(field)) {
        count_unknown(reader, field);
        return true;
    }
    switch (field->number) {
    case DJ_GRAPHICSSTATS_PACKAGE:
        return read_package(reader, field, entry);
    case DJ_GRAPHICSSTATS_VERSION_CODE:
        entry->stats.version = (int64_t)field->value;
        return true;
    case DJ_GRAPHICSSTATS_START:
        entry->stats.start_ms = (int64_t)field->value;
        return true;
    case DJ_GRAPHICSSTATS_END:
        entry->stats.end_ms = (int64_t)field->value;
        return true;
    case DJ_GRAPHICSSTATS_SUMMARY:
        entry->has_counters = read_fields(reader, field->span, "the counters of an entry",
                                          read_counter, &entry->stats.stats);
        return entry->has_counters;
    case DJ_GRAPHICSSTATS_HISTOGRAM:
        return read_bucket(reader, field, entry, false);
    case DJ_GRAPHICSSTATS_GPU_HISTOGRAM:
        return read_bucket(reader, field, entry, true);
    case DJ_GRAPHICSSTATS_UID:
        entry->stats.uid = (int64_t)field->value;
        return true;
    default: /* DJ_GRAPHICSSTATS_PIPELINE: OpenGL or Vulkan. */
        return true;
    }
}

static void set_janky_percentage(struct dj_stats_block *block)
{
    const struct dj_stats *stats = &block->stats;
    block->printed_janky_pct = stats->counter[DJ_COUNTER_TOTAL] == 0
                                   ? (double)NAN
                                   : dj_frame_stats_janky_pct(stats, DJ_COUNTER_JANKY);
}

static void set_percentiles(struct dj_stats_block *block, bool gpu)
{
    for (size_t i = 0; i < DJ_PERCENTILE_COUNT; i++) {
        if (gpu) {
            block->printed_gpu_percentile_ms[i] = dj_frame_stats_gpu_percentile_ms(
                &block->stats, dj_gfxinfo_percentiles[i]);
        } else {
            block->printed_percentile_ms[i] =
                dj_frame_stats_percentile_ms(&block->stats, dj_gfxinfo_percentiles[i]);
        }
    }
    block->lines |=
        dj_gfxinfo_lines_of_kind(gpu ? DJ_LINE_GPU_PERCENTILE : DJ_LINE_PERCENTILE);
}

/* Clears the histograms of a damaged entry, because some buckets may be missing. */
static void drop_histograms(struct dj_stats *stats)
{
    memset(stats->frame_histogram, 0, sizeof(stats->frame_histogram));
    memset(stats->gpu_histogram, 0, sizeof(stats->gpu_histogram));
}

/* Returns whether the histogram has all buckets. In a stored file, missing buckets are
 * the only sign that the file is truncated, because the file does not contain its
 * length. */
static bool check_bucket_count(struct reader *reader, const struct entry *entry, bool gpu,
                               const char *end)
{
    size_t count = entry->bucket_count[gpu];
    size_t expected = gpu ? DJ_GPU_BUCKETS : DJ_FRAME_BUCKETS;
    /* Releases before Android 11 have no GPU times. */
    if (count == expected || (count == 0 && gpu)) {
        return true;
    }
    warn(reader, end, "found %zu of %zu buckets of %s: the file may be truncated here",
         count, expected, gpu ? "GPU times" : "frame times");
    return false;
}

/* Completes a histogram after its last bucket: marks the lines of the text form as
 * present, and computes the percentiles if the histogram is complete. */
static void finish_histogram(struct reader *reader, struct entry *entry, bool gpu,
                             const char *end, bool stored)
{
    struct dj_stats_block *block = &entry->stats.stats;
    bool whole = !stored || check_bucket_count(reader, entry, gpu, end);
    bool counted = gpu || (block->lines & get_line_bit(counters[0].line)) != 0;
    if (entry->bucket_count[gpu] == 0) {
        return;
    }
    block->lines |=
        dj_gfxinfo_lines_of_kind(gpu ? DJ_LINE_GPU_HISTOGRAM : DJ_LINE_HISTOGRAM);
    if (whole && counted && !entry->bucket_lost[gpu]) {
        set_percentiles(block, gpu);
    }
}

/* Adds the entry to the dump if it is valid. Moves the package name to the dump. */
static void add_entry(struct reader *reader, struct entry *entry, const char *at)
{
    if (!entry->has_package || !entry->has_counters) {
        warn(reader, at, "ignored an entry without %s",
             entry->has_package ? "counters" : "a package");
        return;
    }
    struct dj_graphicsstats *added = dj_gfxinfo_dump_add_graphicsstats(reader->dump);
    if (added == NULL) {
        reader->failed = true;
        return;
    }
    *added = entry->stats;
    added->stats.present = true;
    entry->stats.package = NULL;
    reader->report->seen = true;
}

static void read_entry(struct reader *reader, struct dj_graphicsstats_message message,
                       bool stored)
{
    struct entry entry = {
        .stats = {.version = -1, .uid = -1, .start_ms = -1, .end_ms = -1}};
    if (read_fields(reader, message, "an entry", read_entry_field, &entry)) {
        finish_histogram(reader, &entry, false, message.end, stored);
        finish_histogram(reader, &entry, true, message.end, stored);
    } else {
        drop_histograms(&entry.stats.stats.stats);
    }
    set_janky_percentage(&entry.stats.stats);
    if (!reader->failed) {
        add_entry(reader, &entry, message.at);
    }
    free(entry.stats.package);
}

static bool read_stats(struct reader *reader, const struct dj_graphicsstats_field *field,
                       void *into)
{
    (void)into;
    if (field->number != DJ_GRAPHICSSTATS_ENTRY || field->wire != DJ_PROTO_BYTES) {
        count_unknown(reader, field);
        return true;
    }
    if (reader->dump->graphicsstats_count == DJ_GRAPHICSSTATS_MOST) {
        warn(reader, field->at, "more than %d entries: ignored the rest",
             DJ_GRAPHICSSTATS_MOST);
        return false;
    }
    read_entry(reader, field->span, false);
    return !reader->failed;
}

static int close_reader(struct reader *reader, const char *what, struct dj_error *err)
{
    if (reader->unknown > 0) {
        warn(reader, reader->bytes + reader->unknown_byte,
             "ignored %zu fields that no known release has; the first one has number %u",
             reader->unknown, reader->unknown_number);
    }
    if (reader->failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    return reader->dump->graphicsstats_count > 0
               ? 0
               : dj_error_set(err, DJ_E_NO_DATA,
                              "found no graphicsstats entry in %zu bytes of %s",
                              reader->report->bytes, what);
}

static struct reader open_reader(const char *bytes, size_t length, struct dj_dump *dump,
                                 struct dj_parse_report *report)
{
    *report = (struct dj_parse_report){.bytes = length};
    *dump = (struct dj_dump){.uptime_ms = -1, .realtime_ms = -1};
    return (struct reader){.bytes = bytes, .dump = dump, .report = report};
}

int dj_gfxinfo_parse_graphicsstats_dump(const char *bytes, size_t length,
                                        struct dj_dump *dump,
                                        struct dj_parse_report *report,
                                        struct dj_error *err)
{
    struct reader reader = open_reader(bytes, length, dump, report);
    struct dj_graphicsstats_message whole = {bytes, bytes + length, .open = true};
    read_fields(&reader, whole, "the dump", read_stats, NULL);
    return close_reader(&reader, "a dump", err);
}

int dj_gfxinfo_parse_graphicsstats_file(const char *bytes, size_t length,
                                        struct dj_dump *dump,
                                        struct dj_parse_report *report,
                                        struct dj_error *err)
{
    struct reader reader = open_reader(bytes, length, dump, report);
    if (length < DJ_GRAPHICSSTATS_VERSION_BYTES) {
        return dj_error_set_at(
            err, DJ_E_TRUNCATED, (long long)length,
            "the file is truncated at byte %zu, before its version number", length);
    }
    if (!dj_graphicsstats_fields_has_version(bytes, length)) {
        return dj_error_set_at(err, DJ_E_VERSION, 0,
                               "unsupported version of a graphicsstats file: expected %d",
                               DJ_GRAPHICSSTATS_VERSION);
    }
    struct dj_graphicsstats_message whole = {bytes + DJ_GRAPHICSSTATS_VERSION_BYTES,
                                             bytes + length, .open = true};
    read_entry(&reader, whole, true);
    return close_reader(&reader, "a stored file", err);
}
