#include "trace/recording_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "segment/snapshot.h"

void dj_trace_recording_finish(struct dj_trace_recording *recorded)
{
    for (size_t i = 0; i < recorded->section_count; i++) {
        dj_segment_sections_finish(&recorded->sections[i]);
    }
    free(recorded->sections);
    free(recorded->processes);
    free(recorded->rows);
    free(recorded->edges);
    dj_text_finish(&recorded->titles);
    *recorded = (struct dj_trace_recording){0};
}

/* Adds a process to the list of processes, unless the list already contains its pid. Also
 * copies the id and the names of the process to `recorded`, whose members pid, name and
 * program describe the process that was read last. */
static void add_process(struct dj_trace_recording *recorded, int64_t pid,
                        const char *name, const char *program)
{
    struct dj_recording_process process = {.pid = (int32_t)pid};
    recorded->pid = pid;
    memcpy(recorded->name, name, sizeof(recorded->name));
    memcpy(recorded->program, program, sizeof(recorded->program));
    memcpy(process.name, name, sizeof(process.name));
    for (size_t i = 0; i < recorded->process_count; i++) {
        if (recorded->processes[i].pid == pid) {
            return;
        }
    }
    DJ_XPUSH(recorded->processes, recorded->process_count, process);
}

void dj_trace_recording_add_sections(struct dj_trace_recording *recorded,
                                     struct dj_sections *sections)
{
    add_process(recorded, sections->pid, sections->name, sections->program);
    DJ_XPUSH(recorded->sections, recorded->section_count, *sections);
    *sections = (struct dj_sections){0};
}

static void add_windows(struct dj_trace_recording *recorded,
                        const struct dj_snapshot *snapshot)
{
    add_process(recorded, snapshot->pid, snapshot->name, snapshot->program);
    for (size_t i = 0; i < snapshot->window_count; i++) {
        const struct dj_snapshot_window *window = &snapshot->windows[i];
        struct dj_trace_frame_rows rows = {.window = window->title,
                                           .pid = (int32_t)snapshot->pid,
                                           .interval_ns = window->interval_ns,
                                           .dialect = snapshot->dialect,
                                           .frames = window->frames,
                                           .count = window->frame_count,
                                           .first = window->first_index};
        dj_trace_recording_add_rows(recorded, &rows);
    }
}

static int read_segment(struct dj_trace_recording *recorded, const char *path,
                        struct dj_error *err)
{
    struct dj_snapshot_options options = {.ignore_reset = true};
    struct dj_snapshot snapshot = {0};
    struct stat status;
    if (stat(path, &status) != 0) {
        return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s",
                            path, strerror(errno));
    }
    int code =
        dj_xcode(dj_segment_snapshot_read(path, status.st_uid, &options, &snapshot, err));
    if (code == 0) {
        add_windows(recorded, &snapshot);
    }
    dj_segment_snapshot_finish(&snapshot);
    return code;
}

static int read_sections(struct dj_trace_recording *recorded, const char *path,
                         struct dj_error *err)
{
    struct dj_sections sections = {0};
    int code = dj_xcode(dj_segment_sections_read(path, DJ_ANY_OWNER, &sections, err));
    if (code == 0) {
        dj_trace_recording_add_sections(recorded, &sections);
    }
    dj_segment_sections_finish(&sections);
    return code;
}

static bool is_sections(const char *path)
{
    char head[16];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t got = fd >= 0 ? pread(fd, head, sizeof(head), 0) : 0;
    if (fd >= 0) {
        close(fd);
    }
    return got > 0 && dj_segment_sections_sniff(head, (size_t)got);
}

/* Sets *segment to the path of the segment, and *sections to the path of the sections
 * file of the same process. `path` is one of the two files. */
static void make_paths(const char *path, char **segment, char **sections)
{
    size_t suffix = strlen(DJ_SECTIONS_SUFFIX);
    size_t length = strlen(path);
    bool named =
        length > suffix && strcmp(path + length - suffix, DJ_SECTIONS_SUFFIX) == 0;
    bool is = is_sections(path);
    *segment = dj_xcopy(path, is && named ? length - suffix : length);
    *sections = dj_xformat("%s%s", path, is ? "" : DJ_SECTIONS_SUFFIX);
}

int dj_trace_recording_read(struct dj_trace_recording *recorded, const char *path,
                            struct dj_error *err)
{
    char *segment, *sections;
    uint64_t frames = recorded->frames;
    struct dj_error other = {0};
    make_paths(path, &segment, &sections);
    bool is = strcmp(sections, path) == 0;
    bool alone = is && strcmp(segment, path) == 0;
    int code =
        is ? read_sections(recorded, path, err) : read_segment(recorded, path, err);
    int other_code = alone || code != 0 ? DJ_E_NOT_FOUND
                     : is               ? read_segment(recorded, segment, &other)
                                        : read_sections(recorded, sections, &other);
    /* The other file is optional. It is no error if this file is missing or empty. */
    bool missing = other_code == DJ_E_NOT_FOUND || other_code == DJ_E_NO_DATA;
    if (code == 0 && other_code != 0 && !missing) {
        code = other_code;
        if (err != NULL) {
            *err = other;
        }
    } else if (code == 0 && other_code != 0 && !is && recorded->frames == frames) {
        code =
            dj_error_set(err, DJ_E_NO_DATA,
                         "%s: this process recorded neither frames nor sections", path);
    }
    free(segment);
    free(sections);
    return code;
}

static int by_time(const void *a, const void *b)
{
    const struct dj_recording_edge *left = a, *right = b;
    int order = DJ_COMPARE(left->at_ns, right->at_ns);
    return order != 0 ? order : DJ_COMPARE(left->order, right->order);
}

static struct dj_event make_event(enum dj_event_kind kind,
                                  const struct dj_sections *sections)
{
    return (struct dj_event){
        .kind = (uint8_t)kind, .pid = (int32_t)sections->pid, .cpu = -1};
}

/* Reports the names of threads and the losses. They are reported before the first event.
 */
static int report_threads(const struct dj_sections *sections, struct dj_event_sink sink)
{
    int code = 0;
    for (size_t i = 0; i < sections->thread_count && code == 0; i++) {
        struct dj_event thread = make_event(DJ_EVENT_THREAD, sections);
        thread.other = (int32_t)sections->threads[i].tid;
        thread.other_name = dj_str_of(sections->threads[i].name);
        code = sink.take(sink.user, &thread);
    }
    if (code == 0 && (sections->dropped > 0 || sections->overwritten > 0)) {
        struct dj_event lost = make_event(DJ_EVENT_LOST, sections);
        lost.at_ns = sections->whole_from_ns;
        lost.value = sections->overwritten > 0 ? 0 : (int64_t)sections->dropped;
        code = sink.take(sink.user, &lost);
    }
    return code;
}

static int start_merge(struct dj_trace_merger *merger)
{
    struct dj_trace_recording *recorded = merger->recorded;
    merger->begun = true;
    merger->section = dj_xcalloc(recorded->section_count, sizeof(*merger->section));
    if (recorded->edge_count > 0) {
        qsort(recorded->edges, recorded->edge_count, sizeof(*recorded->edges), by_time);
    }
    struct dj_event clock = dj_event_make(DJ_EVENT_CLOCK);
    clock.other_name = dj_str_of("mono");
    int code = merger->sink.take(merger->sink.user, &clock);
    for (size_t i = 0; i < recorded->process_count && code == 0; i++) {
        struct dj_event process = dj_event_make(DJ_EVENT_THREAD);
        process.pid = process.other = recorded->processes[i].pid;
        process.name = dj_str_of(recorded->processes[i].name);
        code = merger->sink.take(merger->sink.user, &process);
    }
    for (size_t i = 0; i < recorded->section_count && code == 0; i++) {
        code = report_threads(&recorded->sections[i], merger->sink);
    }
    return code;
}

/* Finds the event with the earliest time that was not passed on yet. If it is a section
 * event, returns the index of its process in recorded->sections. If it is an edge of a
 * frame, returns section_count. Sets *at_ns to the time of the event, or to INT64_MAX if
 * there are no more events. */
static size_t find_next_event(const struct dj_trace_merger *merger, int64_t *at_ns)
{
    const struct dj_trace_recording *recorded = merger->recorded;
    size_t next = recorded->section_count;
    *at_ns = merger->edge < recorded->edge_count ? recorded->edges[merger->edge].at_ns
                                                 : INT64_MAX;
    for (size_t i = 0; i < recorded->section_count; i++) {
        const struct dj_sections *sections = &recorded->sections[i];
        if (merger->section[i] < sections->count &&
            sections->events[merger->section[i]].at_ns < *at_ns) {
            *at_ns = sections->events[merger->section[i]].at_ns;
            next = i;
        }
    }
    return next;
}

static int send_section(struct dj_trace_merger *merger, size_t process)
{
    static const uint8_t kinds[DJ_SECTION_KIND_COUNT] = {
        [DJ_SECTION_BEGIN] = DJ_EVENT_BEGIN,
        [DJ_SECTION_END] = DJ_EVENT_END,
        [DJ_SECTION_ASYNC_BEGIN] = DJ_EVENT_ASYNC_BEGIN,
        [DJ_SECTION_ASYNC_END] = DJ_EVENT_ASYNC_END,
        [DJ_SECTION_COUNTER] = DJ_EVENT_COUNTER,
    };
    const struct dj_sections *sections = &merger->recorded->sections[process];
    const struct dj_section_event *section =
        &sections->events[merger->section[process]++];
    struct dj_event event = make_event(kinds[section->kind], sections);
    event.at_ns = section->at_ns;
    event.tid = (int32_t)section->tid;
    event.value = section->value;
    event.name = section->kind == DJ_SECTION_END
                     ? (struct dj_str){"", 0}
                     : dj_str_of(sections->names.data + section->name);
    return merger->sink.take(merger->sink.user, &event);
}

static int send_edge(struct dj_trace_merger *merger)
{
    struct dj_event event;
    struct dj_event_frame frame;
    dj_recording_convert_edge(merger->recorded, &merger->recorded->edges[merger->edge++],
                              &event, &frame);
    return merger->sink.take(merger->sink.user, &event);
}

/* Passes on all events before `until_ns`, and sets merger->next_ns. */
static int send_until(struct dj_trace_merger *merger, int64_t until_ns)
{
    int code = 0;
    int64_t at_ns;
    size_t next = find_next_event(merger, &at_ns);
    while (code == 0 && at_ns < until_ns) {
        code = next < merger->recorded->section_count ? send_section(merger, next)
                                                      : send_edge(merger);
        next = find_next_event(merger, &at_ns);
    }
    merger->next_ns = at_ns;
    return code;
}

int dj_trace_merger_add_event(void *user, const struct dj_event *event)
{
    struct dj_trace_merger *merger = user;
    bool timed = event->kind != DJ_EVENT_THREAD && event->kind != DJ_EVENT_LOST;
    int code = merger->begun ? 0 : start_merge(merger);
    if (code == 0 && timed && event->at_ns > merger->next_ns) {
        code = send_until(merger, event->at_ns);
    }
    return code != 0 ? code : merger->sink.take(merger->sink.user, event);
}

int dj_trace_merger_end(struct dj_trace_merger *merger, int code)
{
    if (code == 0 && !merger->begun) {
        code = start_merge(merger);
    }
    if (code == 0) {
        code = send_until(merger, INT64_MAX);
    }
    free(merger->section);
    merger->section = NULL;
    return code;
}

int dj_trace_recording_send_events(struct dj_trace_recording *recorded,
                                   struct dj_event_sink sink)
{
    struct dj_trace_merger merger = {.sink = sink, .recorded = recorded};
    return dj_trace_merger_end(&merger, 0);
}
