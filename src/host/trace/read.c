#include "trace/read.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "memory/memory.h"
#include "segment/sections_reader.h"
#include "trace/input/packed_input.h"
#include "trace/kernel/raw_pages.h"
#include "trace/kernel/trace_dat.h"
#include "trace/model/builder.h"
#include "trace/perf/report_sample.h"
#include "trace/perf_data/read.h"
#include "trace/perfetto/file.h"
#include "trace/recording.h"
#include "trace/recording/sections.h"
#include "trace/sniff.h"

/* The destination of the events of a trace. It is either a builder that builds a trace
 * model, or the caller's sink. */
struct target {
    /* The trace that is built. Also receives the properties of the whole trace if the
     * events go to the caller's sink. */
    struct dj_trace *trace;
    /* Sink of the caller. If sink.take is NULL, the events go to `build`. */
    struct dj_event_sink sink;
    struct dj_trace_builder build;
    uint64_t file_size; /* Size of the input in bytes, or 0 if unknown. */
};

static struct dj_event_sink start_target(struct target *target)
{
    target->build = (struct dj_trace_builder){.trace = target->trace};
    return target->sink.take != NULL
               ? target->sink
               : (struct dj_event_sink){dj_builder_add_event, &target->build};
}

/* Completes the trace after the last event. If `code` is an error, only frees memory and
 * returns `code`. */
static int end_target(struct target *target, const char *name, int code,
                      struct dj_error *err)
{
    if (code != 0) {
        dj_builder_finish(&target->build);
        dj_error_prepend(err, "%s", name);
        return code;
    }
    return target->sink.take != NULL ? 0 : dj_builder_complete(&target->build, err);
}

static int end_packets(struct target *target, const char *name,
                       const struct dj_perfetto_summary *summary, int code,
                       struct dj_error *err)
{
    target->trace->damaged = summary->damaged;
    target->trace->overwritten_chunks = summary->overwritten;
    target->trace->skipped_packets = summary->skipped;
    memcpy(target->trace->core_khz, summary->core_khz, sizeof(summary->core_khz));
    if (code == 0 && summary->events == 0 && summary->listed == 0) {
        code = summary->damaged > 0
                   ? dj_error_set(
                         err, DJ_E_NO_DATA,
                         "the trace contains no readable events: %llu damaged parts",
                         (unsigned long long)summary->damaged)
                   : dj_error_set(
                         err, DJ_E_NO_DATA,
                         "the trace contains no events, only %llu packets of other kinds",
                         (unsigned long long)summary->packets);
    }
    return end_target(target, name, code, err);
}

static int read_packets(struct dj_packed_input *part, struct target *target,
                        struct dj_error *err)
{
    struct dj_perfetto_summary summary = {0};
    target->trace->source = "perfetto";
    int code = dj_perfetto_read_stream(part, start_target(target), &summary, err);
    code = end_packets(target, dj_input_get_name(part->reader), &summary, code, err);
    dj_packed_input_report_damage(part, target->trace);
    return code;
}

static int read_perfetto(const char *path, struct target *target, struct dj_error *err)
{
    struct dj_perfetto_summary summary = {0};
    target->trace->source = "perfetto";
    int code = dj_perfetto_read_path(path, start_target(target), &summary, err);
    return end_packets(target, path, &summary, code, err);
}

/* Completes a kernel trace. If a part of the input is damaged, keeps the events before
 * the damage and reports the damage in target->trace. */
static int end_kernel(struct target *target, const char *name,
                      struct dj_trace_ring_summary *summary, int code,
                      struct dj_error *fault, struct dj_error *err)
{
    target->trace->damaged = summary->damaged;
    target->trace->unread = summary->unread;
    if (code == DJ_E_INVALID && summary->events > 0) {
        dj_trace_ring_note_damage(summary, "%s", fault->message);
        target->trace->damaged++;
        code = 0;
    }
    memcpy(target->trace->damage, summary->damage, sizeof(summary->damage));
    if (code == 0 && summary->events == 0) {
        code = dj_error_set(fault, DJ_E_NO_DATA, "the trace contains no events%s%s",
                            summary->damage[0] != '\0' ? ": " : "", summary->damage);
    }
    if (code != 0 && err != NULL) {
        *err = *fault;
    }
    return end_target(target, name, code, err);
}

static int read_dat(const char *path, struct dj_event_sink sink,
                    struct dj_trace_ring_summary *summary, struct dj_error *err)
{
    struct dj_trace_file file;
    int code = dj_trace_file_open(path, &file, err);
    if (code == 0) {
        code = dj_trace_dat_read(&file, sink, summary, err);
        dj_trace_file_close(&file);
    }
    return code;
}

static int read_kernel(const char *path, const char *source,
                       int (*read)(const char *path, struct dj_event_sink sink,
                                   struct dj_trace_ring_summary *summary,
                                   struct dj_error *err),
                       struct target *target, struct dj_error *err)
{
    struct dj_trace_ring_summary summary = {0};
    struct dj_error fault = {0};
    target->trace->source = source;
    int code = read(path, start_target(target), &summary, &fault);
    return end_kernel(target, path, &summary, code, &fault, err);
}

/* Reads a trace.dat that is compressed or in an archive. Unpacks the whole file first,
 * because parts of trace.dat refer to each other. */
static int read_packed_dat(struct dj_packed_input *part, struct target *target,
                           struct dj_error *err)
{
    struct dj_trace_ring_summary summary = {0};
    struct dj_error fault = {0};
    struct dj_trace_file file;
    target->trace->source = "trace.dat";
    struct dj_event_sink sink = start_target(target);
    int code = dj_packed_input_map(part, &file, &summary.damaged, &fault);
    if (code == 0) {
        code = dj_trace_dat_read(&file, sink, &summary, &fault);
        dj_trace_file_close(&file);
    }
    code =
        end_kernel(target, dj_input_get_name(part->reader), &summary, code, &fault, err);
    dj_packed_input_report_damage(part, target->trace);
    return code;
}

/* Sets the error of a report without events: the report is damaged, or it contains no
 * event that dejank uses. */
static int refuse_report_sample(const struct dj_report_sample_summary *summary,
                                struct dj_error *err)
{
    return summary->damaged > 0
               ? dj_error_set(err, DJ_E_INVALID,
                              "the report contains no readable samples: %s",
                              summary->damage)
               : dj_error_set(err, DJ_E_NO_DATA,
                              "the report contains no samples that show CPU time (other "
                              "samples: %llu, lost: %llu)",
                              (unsigned long long)summary->unused,
                              (unsigned long long)summary->lost);
}

/* Reads a file that is mapped, and closes it. */
static int read_report_sample(struct dj_trace_file *mapped, const char *name,
                              struct target *target, struct dj_error *err)
{
    struct dj_report_sample_summary summary = {0};
    target->trace->source = "simpleperf";
    int code = dj_report_sample_read(mapped, start_target(target), &summary, err);
    dj_trace_file_close(mapped);
    target->trace->damaged += summary.damaged;
    memcpy(target->trace->damage, summary.damage, sizeof(summary.damage));
    if (code == 0 && summary.events == 0) {
        code = refuse_report_sample(&summary, err);
    }
    return end_target(target, name, code, err);
}

static int read_report_sample_file(const char *path, struct target *target,
                                   struct dj_error *err)
{
    struct dj_trace_file file;
    int code = dj_trace_file_open(path, &file, err);
    return code != 0 ? code : read_report_sample(&file, path, target, err);
}

static int read_packed_report_sample(struct dj_packed_input *part, struct target *target,
                                     struct dj_error *err)
{
    struct dj_trace_file file;
    const char *name = dj_input_get_name(part->reader);
    int code = dj_packed_input_map(part, &file, &target->trace->damaged, err);
    if (code != 0) {
        dj_error_prepend(err, "%s", name);
        return code;
    }
    code = read_report_sample(&file, name, target, err);
    dj_packed_input_report_damage(part, target->trace);
    return code;
}

/* Reads a file that is mapped, and closes it. */
static int read_perf_data(struct dj_trace_file *mapped, const char *name,
                          struct dj_perf_data_summary *summary, struct target *target,
                          struct dj_error *err)
{
    struct dj_trace *trace = target->trace;
    trace->source = "perf.data";
    int code = dj_perf_data_read(mapped, start_target(target), summary, err);
    dj_trace_file_close(mapped);
    trace->damaged += summary->damaged;
    memcpy(trace->damage, summary->damage, sizeof(trace->damage));
    trace->notes = summary->notes.sentences;
    trace->note_count = summary->notes.count;
    if (code == 0 && summary->events == 0) {
        code = dj_error_set(err, summary->damaged > 0 ? DJ_E_INVALID : DJ_E_NO_DATA,
                            "the file contains no samples that can be used: %s",
                            summary->damaged > 0       ? summary->damage
                            : summary->notes.count > 0 ? summary->notes.sentences.data
                                                       : "it is empty");
    }
    return end_target(target, name, code, err);
}

static int read_perf_data_file(const char *path, struct target *target,
                               struct dj_error *err)
{
    struct dj_perf_data_summary summary = {0};
    struct dj_trace_file file;
    struct stat status;
    if (stat(path, &status) == 0) {
        summary.recorded_s = status.st_mtime;
    }
    int code = dj_trace_file_open(path, &file, err);
    return code != 0 ? code : read_perf_data(&file, path, &summary, target, err);
}

/* Unpacks the whole file first, because its parts refer to each other. */
static int read_packed_perf_data(struct dj_packed_input *part, struct target *target,
                                 struct dj_error *err)
{
    struct dj_perf_data_summary summary = {0};
    struct dj_trace_file file;
    int code = dj_packed_input_map(part, &file, &target->trace->damaged, err);
    const char *name = dj_input_get_name(part->reader);
    if (code != 0) {
        dj_error_prepend(err, "%s", name);
        return code;
    }
    code = read_perf_data(&file, name, &summary, target, err);
    dj_packed_input_report_damage(part, target->trace);
    return code;
}

/* Reads the first file of an archive that contains events. If the input is not an
 * archive, reads its only file. Sets *name to the name of the file in the archive. */
static int read_first(struct dj_input_reader *reader, struct target *target,
                      struct dj_text *name, struct dj_error *err)
{
    struct dj_input_part part;
    const char *description = "";
    char damage[sizeof(target->trace->damage)] = "";
    struct dj_str first;
    int code;
    while ((code = dj_input_next(reader, &part, err)) == 0 && part.kind != DJ_PART_NONE &&
           (code = dj_input_read(reader, &first.at, &first.length, err)) == 0) {
        struct dj_packed_input wrapped = {reader, first, target->file_size, ""};
        struct dj_text_summary summary = {0};
        dj_text_clear(name);
        dj_text_add(name, part.name != NULL ? part.name : "");
        if (dj_perfetto_sniff((const uint8_t *)first.at, first.length, false)) {
            return read_packets(&wrapped, target, err);
        }
        if (dj_trace_dat_sniff(first.at, first.length)) {
            return read_packed_dat(&wrapped, target, err);
        }
        if (dj_perf_data_sniff(first.at, first.length)) {
            return read_packed_perf_data(&wrapped, target, err);
        }
        if (dj_report_sample_sniff(first.at, first.length)) {
            return read_packed_report_sample(&wrapped, target, err);
        }
        if (part.kind == DJ_PART_BINARY) {
            continue;
        }
        if (description != dj_trace_gfxinfo_description) {
            description = dj_trace_describe_other_file(first.at, first.length);
        }
        code = dj_packed_text_read(&wrapped, start_target(target), target->trace,
                                   &summary, err);
        if (code != 0) {
            dj_builder_finish(&target->build);
            return code;
        }
        if (summary.events + summary.samples > 0 || summary.listed > 0) {
            return end_target(target, "", 0, err);
        }
        dj_builder_finish(&target->build);
        target->trace->damaged = 0;
        memcpy(damage, target->trace->damage, sizeof(damage));
        target->trace->damage[0] = '\0';
    }
    if (code == 0 && damage[0] != '\0') {
        return dj_error_set(err, DJ_E_INVALID,
                            "%s: the trace contains no readable events: %s",
                            dj_input_get_name(reader), damage);
    }
    return code != 0
               ? code
               : dj_trace_refuse_other_file(dj_input_get_name(reader), description, err);
}

static int read_parts(struct dj_input_reader *reader, struct target *target,
                      struct dj_error *err)
{
    struct dj_text name = {0};
    int code = read_first(reader, target, &name, err);
    if (code == 0 && name.length > 0) {
        dj_packed_input_list_traces(reader, dj_xtext(&name), target->trace);
    }
    dj_text_finish(&name);
    return code;
}

static int read_text(const char *path, struct target *target, struct dj_error *err)
{
    struct dj_input_reader *reader;
    int code = dj_input_open(&reader, path, err);
    if (code == 0) {
        target->trace->source = "ftrace";
        dj_input_include_binary(reader);
        code = read_parts(reader, target, err);
        dj_input_close(reader);
    }
    return code;
}

/* Passes the sections and the frames of a process to the sink. dj_trace_read() does not
 * read frames of dejank's own recordings, because the trace model does not contain them.
 */
static int send_recording(const char *path, struct target *target, struct dj_error *err)
{
    struct dj_trace_recording recorded = {0};
    int code = dj_trace_recording_read(&recorded, path, err);
    target->trace->source = "sections";
    target->trace->pid = recorded.pid;
    memcpy(target->trace->process, recorded.name, sizeof(target->trace->process));
    code = code != 0 ? code : dj_trace_recording_send_events(&recorded, target->sink);
    dj_trace_recording_finish(&recorded);
    return code;
}

/* Number of bytes at the start of a file from which its format is recognised. */
enum { HEAD = 512 };

static int read_by_head(const char *path, const uint8_t *head, size_t length,
                        struct target *target, struct dj_error *err)
{
    bool sections = dj_segment_sections_sniff((const char *)head, length);
    bool segment = length >= 8 && memcmp(head, DJ_SEGMENT_MAGIC, 8) == 0;
    if ((sections || segment) && target->sink.take != NULL) {
        return send_recording(path, target, err);
    }
    if (sections) {
        return dj_trace_read_sections(path, target->trace, err);
    }
    if (segment) {
        return dj_trace_read_sections_of_segment(path, target->trace, err);
    }
    if (dj_trace_dat_sniff((const char *)head, length)) {
        return read_kernel(path, "trace.dat", read_dat, target, err);
    }
    if (dj_perf_data_sniff((const char *)head, length)) {
        return read_perf_data_file(path, target, err);
    }
    if (dj_report_sample_sniff((const char *)head, length)) {
        return read_report_sample_file(path, target, err);
    }
    if (dj_perfetto_sniff(head, length, length == target->file_size)) {
        return read_perfetto(path, target, err);
    }
    if (dj_raw_pages_sniff(head, length, (size_t)target->file_size) ||
        dj_raw_pages_sniff_described(path, head, length, (size_t)target->file_size)) {
        return read_kernel(path, "ring pages", dj_raw_pages_read, target, err);
    }
    return read_text(path, target, err);
}

static int read_target(const char *path, struct target *target, struct dj_error *err)
{
    uint8_t head[HEAD];
    struct stat status = {0};
    /* A pipe is not opened here. Opening and closing it would consume data or disconnect
     * a waiting writer. */
    if (strcmp(path, "-") == 0 ||
        (stat(path, &status) == 0 && S_ISFIFO(status.st_mode))) {
        target->trace->sum_slices = false;
        return read_text(path, target, err);
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &status) != 0) {
        int failure = errno;
        if (fd >= 0) {
            close(fd);
        }
        return dj_error_set(err, failure == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s",
                            path, strerror(failure));
    }
    ssize_t got = pread(fd, head, sizeof(head), 0);
    close(fd);
    target->trace->sum_slices &= S_ISREG(status.st_mode);
    target->file_size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
    return read_by_head(path, head, got > 0 ? (size_t)got : 0, target, err);
}

/* Reads a trace. If the slices cannot be summed up while they are read, reads the trace a
 * second time, and stores and sorts its slices. Therefore sum_slices is used only for
 * input that can be read twice. */
int dj_trace_read(const char *path, struct dj_trace *trace, struct dj_error *err)
{
    const struct dj_trace options = {.memory_bytes = trace->memory_bytes,
                                     .keep_marks = trace->keep_marks,
                                     .count_states = trace->count_states,
                                     .keep_spans = trace->keep_spans};
    struct target target = {.trace = trace};
    int code = read_target(path, &target, err);
    if (code != 0 && target.build.running_sums.needs_second_read) {
        dj_trace_finish(trace);
        *trace = options;
        target = (struct target){.trace = trace};
        code = read_target(path, &target, err);
    }
    return code;
}

int dj_trace_read_events(const char *path, struct dj_event_sink sink,
                         struct dj_trace *summary, struct dj_error *err)
{
    struct target target = {.trace = summary, .sink = sink};
    return read_target(path, &target, err);
}
