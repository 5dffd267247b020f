/* The level tracefs, for root. It reads the rings of a tracing instance page by page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/linux/instance.h"
#include "capture/linux/kernel_clock.h"
#include "capture/linux/known_threads.h"
#include "capture/linux/session.h"
#include "capture/linux/tracefs.h"
#include "trace/kernel_trace.h"

/* Flag in the commit word of a page. It says that events before the page are missing. */
#define MISSED_EVENTS (UINT32_C(1) << 31)
#define PAGE_LENGTH ((UINT32_C(1) << 27) - 1)

struct tracefs_level {
    struct dj_instance instance;
    struct dj_trace_kernel kernel;
    uint8_t *page;
    /* Contents of the file saved_tgids, which lists the process of each thread. */
    struct dj_text processes;
};

static int read_format(struct tracefs_level *level, const struct dj_kernel_event *event,
                       struct dj_error *err)
{
    struct dj_text text = {0};
    int code = dj_kernel_events_read_file(level->instance.dir, event, "format", &text);
    if (code == 0) {
        code = dj_trace_formats_add(&level->kernel.formats,
                                    (struct dj_str){text.data, text.length}, err);
    } else if (code != DJ_E_NO_MEMORY) {
        code = 0; /* If the kernel does not have this event, its format is not needed. */
    }
    dj_text_finish(&text);
    return code;
}

static int read_formats(struct tracefs_level *level, const struct dj_capture_plan *plan,
                        struct dj_error *err)
{
    struct dj_text header = {0};
    int code = dj_tracefs_read(level->instance.dir, "events/header_page", &header, err);
    if (code == 0) {
        code = dj_trace_ring_read_layout((struct dj_str){header.data, header.length},
                                         &level->kernel.layout, err);
    }
    dj_text_finish(&header);
    for (const struct dj_kernel_event *event = dj_kernel_events_find_next(plan, NULL);
         event != NULL && code == 0; event = dj_kernel_events_find_next(plan, event)) {
        code = read_format(level, event, err);
    }
    return code;
}

static int prepare_instance(struct dj_linux *capture, struct tracefs_level *level,
                            struct dj_error *err)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    int root;
    int code = dj_tracefs_open(&root, err);
    code = code == 0 ? dj_instance_create(&level->instance, root, err) : code;
    if (code != 0) {
        return code;
    }
    code = dj_instance_set_up(&level->instance, plan, &capture->result, err);
    code = code == 0 ? read_formats(level, plan, err) : code;
    for (size_t i = 0; i < level->instance.cpu_count && code == 0; i++) {
        code =
            dj_trace_kernel_add_cpu(&level->kernel, level->instance.cpus[i].cpu) == NULL
                ? dj_error_set(err, DJ_E_LIMIT, "the machine has too many CPUs")
                : 0;
    }
    if (code != 0) {
        return code;
    }
    size_t page_size = level->kernel.layout.page_size;
    level->page = malloc(page_size);
    return level->page == NULL
               ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for a page")
               : dj_linux_open_spool(capture, page_size, err);
}

static void finish_level(struct dj_linux *capture)
{
    struct tracefs_level *level = capture->own;
    dj_instance_remove(&level->instance, NULL);
    dj_trace_kernel_finish(&level->kernel);
    dj_text_finish(&level->processes);
    free(level->page);
}

static int open_level(struct dj_linux *capture, struct dj_error *err)
{
    struct tracefs_level *level = capture->own;
    level->instance = (struct dj_instance){.root = -1, .dir = -1};
    int code = prepare_instance(capture, level, err);
    return code == 0 ? dj_instance_switch(&level->instance, true, err) : code;
}

/* Returns true if the kernel still writes to this page, so the ring contains few events
 * after the page. */
static bool is_last_page(const struct tracefs_level *level)
{
    enum { LONGEST_EVENT = 512 };
    uint32_t commit;
    memcpy(&commit, level->page + 8, sizeof(commit));
    return (commit & PAGE_LENGTH) + LONGEST_EVENT + level->kernel.layout.data_offset <
           level->kernel.layout.page_size;
}

/* Moves the pages of a CPU's ring to the spool. Reading the ring causes new events. If
 * `all` is false, stops at the page to which the kernel still writes. Otherwise the loop
 * would read its own events forever. */
static int drain_cpu(struct dj_linux *capture, struct tracefs_level *level,
                     const struct dj_instance_cpu *cpu, bool all, struct dj_error *err)
{
    size_t size = level->kernel.layout.page_size;
    int code = 0;
    bool more = true;
    while (code == 0 && more) {
        ssize_t got = read(cpu->pipe, level->page, size);
        if (got < (ssize_t)size) {
            return got < 0 && errno != EAGAIN && errno != EINTR
                       ? dj_tracefs_set_error("trace_pipe_raw", "cannot read", err)
                       : 0;
        }
        capture->bytes += got;
        code = dj_page_spool_push(&capture->spool, cpu->cpu, level->page, err);
        more = all || !is_last_page(level);
    }
    return code;
}

static int drain_cpus(struct dj_linux *capture, bool all, struct dj_error *err)
{
    struct tracefs_level *level = capture->own;
    int code = 0;
    for (size_t i = 0; i < level->instance.cpu_count && code == 0; i++) {
        code = drain_cpu(capture, level, &level->instance.cpus[i], all, err);
    }
    return code;
}

static int drain_level(struct dj_linux *capture, struct dj_error *err)
{
    return drain_cpus(capture, false, err);
}

static int close_level(struct dj_linux *capture, struct dj_error *err)
{
    struct tracefs_level *level = capture->own;
    int code = dj_instance_switch(&level->instance, false, err);
    int drained = drain_cpus(capture, code == 0, code == 0 ? err : NULL);
    capture->result.lost += dj_instance_read_lost(&level->instance);
    dj_tracefs_read(level->instance.root, "saved_tgids", &level->processes, NULL);
    int removed =
        dj_instance_remove(&level->instance, code == 0 && drained == 0 ? err : NULL);
    code = code != 0 ? code : drained;
    return code != 0 ? code : removed;
}

static int get_next_page(void *user, const uint8_t **page, struct dj_error *err)
{
    struct dj_spool_cursor *cursor = user;
    uint8_t *found;
    bool gap;
    int code = dj_page_spool_next(cursor, &found, &gap, err);
    if (code == 0 && found != NULL && gap) {
        uint32_t commit;
        memcpy(&commit, found + 8, sizeof(commit));
        commit |= MISSED_EVENTS;
        memcpy(found + 8, &commit, sizeof(commit));
    }
    *page = found;
    return code;
}

static int write_level_events(struct dj_linux *capture, struct dj_event_sink sink,
                              struct dj_error *err)
{
    struct tracefs_level *level = capture->own;
    struct dj_trace_kernel *kernel = &level->kernel;
    struct dj_trace_ring_summary summary = {0};
    struct dj_spool_cursor *cursors = calloc(kernel->cpu_count, sizeof(*cursors));
    if (cursors == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory for CPUs");
    }
    for (size_t i = 0; i < kernel->cpu_count; i++) {
        cursors[i] = (struct dj_spool_cursor){.spool = &capture->spool,
                                              .cpu = kernel->cpus[i].cpu};
        kernel->cpus[i].source =
            (struct dj_trace_ring_source){get_next_page, &cursors[i]};
    }
    struct dj_kernel_clock clock = {.sink = sink, .offset_ns = capture->kernel_ns};
    struct dj_known_threads known = {.sink = {dj_kernel_clock_convert, &clock}};
    int code = dj_trace_kernel_report_processes(
        (struct dj_str){level->processes.data, level->processes.length},
        (struct dj_event_sink){dj_known_threads_add, &known});
    code =
        code == 0
            ? dj_trace_ring_read(
                  &kernel->layout, &kernel->formats, kernel->cpus, kernel->cpu_count,
                  (struct dj_event_sink){dj_known_threads_write, &known}, &summary, err)
            : code;
    dj_known_threads_finish(&known);
    capture->result.events = summary.events;
    for (size_t i = 0; i < kernel->cpu_count; i++) {
        if (code == 0) {
            code = dj_page_spool_write_gap(&cursors[i], capture->result.end_ns, sink);
        }
        dj_page_spool_cursor_finish(&cursors[i]);
    }
    free(cursors);
    return code;
}

const struct dj_linux_level dj_linux_tracefs = {
    .level = DJ_CAPTURE_KERNEL,
    .own_bytes = sizeof(struct tracefs_level),
    .open = open_level,
    .drain = drain_level,
    .close = close_level,
    .write_events = write_level_events,
    .finish = finish_level,
};
