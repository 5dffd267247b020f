#include "trace/recorded_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "segment/snapshot.h"

void dj_recorded_finish(struct dj_recorded *recorded)
{
    for (size_t i = 0; i < recorded->section_count; i++) {
        dj_sections_finish(&recorded->sections[i]);
    }
    free(recorded->sections);
    free(recorded->processes);
    free(recorded->rows);
    free(recorded->edges);
    dj_text_finish(&recorded->titles);
    *recorded = (struct dj_recorded){0};
}

/* Adds a process, unless it is already there. */
static void add_process(struct dj_recorded *recorded, int64_t pid, const char *name,
                        const char *program)
{
    struct dj_recorded_process process = {.pid = (int32_t)pid};
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

void dj_recorded_add_sections(struct dj_recorded *recorded, struct dj_sections *sections)
{
    add_process(recorded, sections->pid, sections->name, sections->program);
    DJ_XPUSH(recorded->sections, recorded->section_count, *sections);
    *sections = (struct dj_sections){0};
}

/* ---- reading ---- */

static void add_windows(struct dj_recorded *recorded, const struct dj_snapshot *snapshot)
{
    add_process(recorded, snapshot->pid, snapshot->name, snapshot->program);
    for (size_t i = 0; i < snapshot->window_count; i++) {
        const struct dj_snapshot_window *window = &snapshot->windows[i];
        struct dj_frame_rows rows = {.window = window->title,
                                     .pid = (int32_t)snapshot->pid,
                                     .interval_ns = window->interval_ns,
                                     .dialect = snapshot->dialect,
                                     .frames = window->frames,
                                     .count = window->frame_count,
                                     .first = window->first_index};
        dj_recorded_add_rows(recorded, &rows);
    }
}

static int read_segment(struct dj_recorded *recorded, const char *path,
                        struct dj_error *err)
{
    struct dj_snapshot_options options = {.ignore_reset = true};
    struct dj_snapshot snapshot = {0};
    struct stat status;
    if (stat(path, &status) != 0) {
        return dj_error_set(err, errno == ENOENT ? DJ_E_NOT_FOUND : DJ_E_IO, "%s: %s",
                            path, strerror(errno));
    }
    int code = dj_xcode(dj_snapshot_read(path, status.st_uid, &options, &snapshot, err));
    if (code == 0) {
        add_windows(recorded, &snapshot);
    }
    dj_snapshot_finish(&snapshot);
    return code;
}

static int read_sections(struct dj_recorded *recorded, const char *path,
                         struct dj_error *err)
{
    struct dj_sections sections = {0};
    int code = dj_xcode(dj_sections_read(path, DJ_ANY_OWNER, &sections, err));
    if (code == 0) {
        dj_recorded_add_sections(recorded, &sections);
    }
    dj_sections_finish(&sections);
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
    return got > 0 && dj_sections_sniff(head, (size_t)got);
}

/* Returns the path of the segment and that of its sections file. `path` is one of them.
 */
static void name_both(const char *path, char **segment, char **sections)
{
    size_t suffix = strlen(DJ_SECTIONS_SUFFIX);
    size_t length = strlen(path);
    bool named =
        length > suffix && strcmp(path + length - suffix, DJ_SECTIONS_SUFFIX) == 0;
    bool is = is_sections(path);
    *segment = dj_xcopy(path, is && named ? length - suffix : length);
    *sections = dj_xformat("%s%s", path, is ? "" : DJ_SECTIONS_SUFFIX);
}

int dj_recorded_read(struct dj_recorded *recorded, const char *path, struct dj_error *err)
{
    char *segment, *sections;
    uint64_t frames = recorded->frames;
    struct dj_error other = {0};
    name_both(path, &segment, &sections);
    bool is = strcmp(sections, path) == 0;
    bool alone = is && strcmp(segment, path) == 0;
    int code =
        is ? read_sections(recorded, path, err) : read_segment(recorded, path, err);
    int beside = alone || code != 0 ? DJ_E_NOT_FOUND
                 : is               ? read_segment(recorded, segment, &other)
                                    : read_sections(recorded, sections, &other);
    /* If the other file is missing or empty, that is no error. */
    bool missing = beside == DJ_E_NOT_FOUND || beside == DJ_E_NO_DATA;
    if (code == 0 && beside != 0 && !missing) {
        code = beside;
        if (err != NULL) {
            *err = other;
        }
    } else if (code == 0 && beside != 0 && !is && recorded->frames == frames) {
        code =
            dj_error_set(err, DJ_E_NO_DATA,
                         "%s: this process recorded neither frames nor sections", path);
    }
    free(segment);
    free(sections);
    return code;
}

/* ---- passing events on ---- */

static int by_time(const void *a, const void *b)
{
    const struct dj_recorded_edge *left = a, *right = b;
    int order = DJ_COMPARE(left->at_ns, right->at_ns);
    return order != 0 ? order : DJ_COMPARE(left->order, right->order);
}

static struct dj_event blank(enum dj_event_kind kind, const struct dj_sections *sections)
{
    return (struct dj_event){
        .kind = (uint8_t)kind, .pid = (int32_t)sections->pid, .cpu = -1};
}

/* Reports the facts about a process before its first event. */
static int tell_names(const struct dj_sections *sections, struct dj_event_sink sink)
{
    int code = 0;
    for (size_t i = 0; i < sections->thread_count && code == 0; i++) {
        struct dj_event thread = blank(DJ_EVENT_THREAD, sections);
        thread.other = (int32_t)sections->threads[i].tid;
        thread.other_name = dj_str_of(sections->threads[i].name);
        code = sink.take(sink.user, &thread);
    }
    if (code == 0 && (sections->dropped > 0 || sections->overwritten > 0)) {
        struct dj_event lost = blank(DJ_EVENT_LOST, sections);
        lost.at_ns = sections->whole_from_ns;
        lost.value = sections->overwritten > 0 ? 0 : (int64_t)sections->dropped;
        code = sink.take(sink.user, &lost);
    }
    return code;
}

static int begin(struct dj_weave *weave)
{
    struct dj_recorded *recorded = weave->recorded;
    weave->begun = true;
    weave->section = dj_xcalloc(recorded->section_count, sizeof(*weave->section));
    if (recorded->edge_count > 0) {
        qsort(recorded->edges, recorded->edge_count, sizeof(*recorded->edges), by_time);
    }
    struct dj_event clock = dj_event_of(DJ_EVENT_CLOCK);
    clock.other_name = dj_str_of("mono");
    int code = weave->sink.take(weave->sink.user, &clock);
    for (size_t i = 0; i < recorded->process_count && code == 0; i++) {
        struct dj_event process = dj_event_of(DJ_EVENT_THREAD);
        process.pid = process.other = recorded->processes[i].pid;
        process.name = dj_str_of(recorded->processes[i].name);
        code = weave->sink.take(weave->sink.user, &process);
    }
    for (size_t i = 0; i < recorded->section_count && code == 0; i++) {
        code = tell_names(&recorded->sections[i], weave->sink);
    }
    return code;
}

/* Returns the process that has the next section, or section_count if an edge of a frame
 * is next. *at_ns is INT64_MAX if nothing is left. */
static size_t find_next(const struct dj_weave *weave, int64_t *at_ns)
{
    const struct dj_recorded *recorded = weave->recorded;
    size_t next = recorded->section_count;
    *at_ns = weave->edge < recorded->edge_count ? recorded->edges[weave->edge].at_ns
                                                : INT64_MAX;
    for (size_t i = 0; i < recorded->section_count; i++) {
        const struct dj_sections *sections = &recorded->sections[i];
        if (weave->section[i] < sections->count &&
            sections->events[weave->section[i]].at_ns < *at_ns) {
            *at_ns = sections->events[weave->section[i]].at_ns;
            next = i;
        }
    }
    return next;
}

static int hand_out_section(struct dj_weave *weave, size_t process)
{
    static const uint8_t kinds[DJ_SECTION_KIND_COUNT] = {
        [DJ_SECTION_BEGIN] = DJ_EVENT_BEGIN,
        [DJ_SECTION_END] = DJ_EVENT_END,
        [DJ_SECTION_ASYNC_BEGIN] = DJ_EVENT_ASYNC_BEGIN,
        [DJ_SECTION_ASYNC_END] = DJ_EVENT_ASYNC_END,
        [DJ_SECTION_COUNTER] = DJ_EVENT_COUNTER,
    };
    const struct dj_sections *sections = &weave->recorded->sections[process];
    const struct dj_section_event *section = &sections->events[weave->section[process]++];
    struct dj_event event = blank(kinds[section->kind], sections);
    event.at_ns = section->at_ns;
    event.tid = (int32_t)section->tid;
    event.value = section->value;
    event.name = section->kind == DJ_SECTION_END
                     ? (struct dj_str){"", 0}
                     : dj_str_of(sections->names.data + section->name);
    return weave->sink.take(weave->sink.user, &event);
}

static int hand_out_edge(struct dj_weave *weave)
{
    struct dj_event event;
    struct dj_event_frame frame;
    dj_recorded_event(weave->recorded, &weave->recorded->edges[weave->edge++], &event,
                      &frame);
    return weave->sink.take(weave->sink.user, &event);
}

/* Passes on everything before that time. */
static int hand_out_until(struct dj_weave *weave, int64_t until_ns)
{
    int code = 0;
    int64_t at_ns;
    size_t next = find_next(weave, &at_ns);
    while (code == 0 && at_ns < until_ns) {
        code = next < weave->recorded->section_count ? hand_out_section(weave, next)
                                                     : hand_out_edge(weave);
        next = find_next(weave, &at_ns);
    }
    weave->next_ns = at_ns;
    return code;
}

int dj_weave_take(void *user, const struct dj_event *event)
{
    struct dj_weave *weave = user;
    bool timed = event->kind != DJ_EVENT_THREAD && event->kind != DJ_EVENT_LOST;
    int code = weave->begun ? 0 : begin(weave);
    if (code == 0 && timed && event->at_ns > weave->next_ns) {
        code = hand_out_until(weave, event->at_ns);
    }
    return code != 0 ? code : weave->sink.take(weave->sink.user, event);
}

int dj_weave_end(struct dj_weave *weave, int code)
{
    if (code == 0 && !weave->begun) {
        code = begin(weave);
    }
    if (code == 0) {
        code = hand_out_until(weave, INT64_MAX);
    }
    free(weave->section);
    weave->section = NULL;
    return code;
}

int dj_recorded_tell(struct dj_recorded *recorded, struct dj_event_sink sink)
{
    struct dj_weave weave = {.sink = sink, .recorded = recorded};
    return dj_weave_end(&weave, 0);
}
