/* The levels perf and own-threads, which do not need an instance of tracefs. The level
 * perf captures tracepoints or context switches of all threads of the machine. The level
 * own-threads captures context switches of the app's own threads. */
#include <stdlib.h>
#include <unistd.h>

#include "capture/linux/kernel_clock.h"
#include "capture/linux/kernel_events.h"
#include "capture/linux/perf_events.h"
#include "capture/linux/pressure.h"
#include "capture/linux/session.h"
#include "capture/linux/tracefs.h"

struct perf_level {
    struct dj_perf perf;
    struct dj_trace_formats formats;
    struct dj_pressure pressure;
    bool tracepoints;
    /* The following members are used by the level own-threads. */
    /* Number of processes in capture->records that add_new_processes() has examined. */
    size_t recorded;
    /* Process id of the app if the app runs without the recorder, or 0. */
    int64_t unrecorded_pid;
    bool refused; /* True if the kernel does not permit perf events of threads. */
};

static int add_tracepoint(struct perf_level *level, int root,
                          const struct dj_kernel_event *event, struct dj_error *err)
{
    struct dj_text id = {0}, format = {0};
    int code = 0;
    /* A tracepoint that the kernel does not have is skipped. */
    if (dj_kernel_events_read_file(root, event, "id", &id) == 0 &&
        dj_kernel_events_read_file(root, event, "format", &format) == 0) {
        uint32_t number = (uint32_t)strtoul(dj_text_get(&id), NULL, 10);
        code = dj_trace_formats_add(&level->formats,
                                    (struct dj_str){format.data, format.length}, err);
        code = code == 0 ? dj_perf_rings_add(&level->perf, -1, number, event->filter, err)
                         : code;
    }
    dj_text_finish(&id);
    dj_text_finish(&format);
    return code;
}

/* Adds the tracepoints and perf's own switch records. The ids of tracepoints are in
 * tracefs, which only root may read by default. The switch records are needed too,
 * because some kernels omit the tracepoint of some switches, mostly when a CPU leaves its
 * idle state. */
static int add_tracepoints(struct perf_level *level, const struct dj_capture_plan *plan,
                           struct dj_error *err)
{
    int root;
    int code = dj_tracefs_open(&root, err);
    if (code != 0) {
        return code;
    }
    for (const struct dj_kernel_event *event = dj_kernel_events_find_next(plan, NULL);
         event != NULL && code == 0; event = dj_kernel_events_find_next(plan, event)) {
        code = add_tracepoint(level, root, event, err);
    }
    close(root);
    if (code == 0 && level->perf.fd_count == 0) {
        code = dj_error_set(err, DJ_E_OWNER, "tracefs: this user cannot read any event");
    }
    code = code == 0 ? dj_perf_rings_add(&level->perf, -1, 0, NULL, err) : code;
    level->tracepoints = code == 0;
    return code;
}

static int open_whole_machine(struct dj_linux *capture, struct perf_level *level,
                              struct dj_error *err)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    struct dj_error why = {0};
    dj_perf_rings_set_size(&level->perf, plan->buffer_bytes > 0
                                             ? plan->buffer_bytes
                                             : DJ_CAPTURE_BUFFER_BYTES);
    size_t wanted = level->perf.pages;
    int code = add_tracepoints(level, plan, &why);
    if (code != 0) {
        dj_perf_rings_finish(&level->perf);
        dj_trace_formats_finish(&level->formats);
        dj_capture_add_limit(
            &capture->result,
            "which thread woke another, and what a thread waited for: the capture "
            "has only thread switches (%.100s)",
            why.message);
        code = dj_perf_rings_add(&level->perf, -1, 0, NULL, err);
    }
    capture->buffer_bound = level->perf.pages < wanted;
    return code;
}

static int add_process(struct dj_linux *capture, struct perf_level *level, pid_t pid,
                       struct dj_error *err)
{
    struct dj_running *watched = &capture->watched;
    size_t from = watched->count;
    int code = dj_running_add_process(watched, pid, err);
    for (size_t i = from; i < watched->count && code == 0 && !level->refused; i++) {
        code = dj_perf_rings_add(&level->perf, watched->threads[i].tid, 0, NULL, err);
        /* DJ_E_NOT_FOUND means that the thread has just ended. */
        code = code == DJ_E_NOT_FOUND ? 0 : code;
    }
    return code;
}

/* Adds the threads of recorded apps that are new. Also adds the threads of the plan's app
 * if the app runs without the recorder. */
static int add_new_processes(struct dj_linux *capture, struct perf_level *level,
                             struct dj_error *err)
{
    const struct dj_records *records = &capture->records;
    const struct dj_app_watch *app = &capture->app;
    int code = 0;
    for (; level->recorded < records->count && code == 0; level->recorded++) {
        const struct dj_records_process *process = &records->processes[level->recorded];
        if (!process->ended) {
            code = add_process(capture, level, (pid_t)process->pid, err);
        }
    }
    if (code == 0 && app->state == DJ_APP_UNRECORDED &&
        level->unrecorded_pid != app->pid) {
        level->unrecorded_pid = app->pid;
        code = add_process(capture, level, (pid_t)app->pid, err);
    }
    return code;
}

/* Adds the plan's processes. perf events also cover their future child processes. If the
 * plan names no processes, adds the recorded apps. */
static int add_processes(struct dj_linux *capture, struct perf_level *level,
                         struct dj_error *err)
{
    const struct dj_capture_plan *plan = capture->base.plan;
    int code = 0;
    for (size_t i = 0; i < plan->pid_count && code == 0; i++) {
        code = add_process(capture, level, plan->pids[i], err);
    }
    return plan->pid_count == 0 ? add_new_processes(capture, level, err) : code;
}

static bool is_refusal(int code)
{
    return code == DJ_E_OWNER || code == DJ_E_UNSUPPORTED || code == DJ_E_LIMIT;
}

/* Adds processes that have started during the capture. */
static int watch_new_processes(struct dj_linux *capture, struct perf_level *level,
                               struct dj_error *err)
{
    struct dj_error why = {0};
    size_t before = level->perf.fd_count;
    int code = add_new_processes(capture, level, &why);
    if (level->perf.fd_count > before) {
        dj_perf_rings_enable(&level->perf, true);
    }
    if (is_refusal(code)) {
        level->refused = true;
        dj_capture_add_limit(&capture->result,
                             "what threads did that started during the capture (%s)",
                             why.message);
        return 0;
    }
    return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
}

static void add_own_limits(struct dj_linux *capture)
{
    static const char *const limits[] = {
        "what other threads and programs did: the capture has only the app's own threads",
        "which thread woke another, and what the owner of a lock did: the causes of "
        "waits are "
        "not captured",
        "how long a woken thread waited for a CPU: it counts as sleeping until it runs",
        "whether a thread waited for a disk",
    };
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        dj_capture_add_limit(&capture->result, "%s", limits[i]);
    }
}

/* Opens the level own-threads. If perf events are not permitted, as in many containers,
 * captures only the counters in /proc. */
static int open_own(struct dj_linux *capture, struct perf_level *level,
                    struct dj_error *err)
{
    struct dj_error why = {0};
    int code = add_processes(capture, level, &why);
    if (capture->watched.count == 0 && capture->app.app == NULL &&
        code != DJ_E_NO_MEMORY) {
        return dj_error_set(err, DJ_E_NOT_FOUND,
                            "no app runs under the recorder, so there are no threads to "
                            "watch; name an app to wait for (--package NAME), or start "
                            "one (-- CMD)");
    }
    if (is_refusal(code)) {
        dj_perf_rings_finish(&level->perf);
        level->refused = true;
        dj_capture_add_limit(
            &capture->result,
            "what threads did, except how long each waited for a CPU (%s)", why.message);
        return dj_pressure_read(&level->pressure, &capture->watched, err);
    }
    add_own_limits(capture);
    return code == 0 ? 0 : dj_error_set(err, code, "%s", why.message);
}

static void finish_level(struct dj_linux *capture)
{
    struct perf_level *level = capture->own;
    dj_perf_rings_finish(&level->perf);
    dj_trace_formats_finish(&level->formats);
    dj_pressure_finish(&level->pressure);
}

static int open_level(struct dj_linux *capture, struct dj_error *err)
{
    struct perf_level *level = capture->own;
    int code = capture->level == &dj_linux_own ? open_own(capture, level, err)
                                               : open_whole_machine(capture, level, err);
    code = code == 0 ? dj_linux_open_spool(capture, DJ_PERF_PAGE, err) : code;
    if (code == 0) {
        dj_perf_rings_enable(&level->perf, true);
    }
    return code;
}

static int drain_level(struct dj_linux *capture, struct dj_error *err)
{
    struct perf_level *level = capture->own;
    int code = dj_perf_rings_drain(&level->perf, &capture->spool, false, err);
    capture->bytes = level->perf.bytes;
    if (code == 0 && capture->level == &dj_linux_own &&
        capture->base.plan->pid_count == 0) {
        code = watch_new_processes(capture, level, err);
    }
    return code == 0 ? dj_pressure_read(&level->pressure, &capture->watched, err) : code;
}

static int close_level(struct dj_linux *capture, struct dj_error *err)
{
    struct perf_level *level = capture->own;
    dj_perf_rings_enable(&level->perf, false);
    int code = dj_perf_rings_drain(&level->perf, &capture->spool, true, err);
    capture->result.lost += level->perf.lost;
    dj_perf_rings_finish(&level->perf);
    return code;
}

static int write_level_events(struct dj_linux *capture, struct dj_event_sink sink,
                              struct dj_error *err)
{
    struct perf_level *level = capture->own;
    struct dj_perf_reader reader = {.spool = &capture->spool,
                                    .formats =
                                        level->tracepoints ? &level->formats : NULL,
                                    .of_all = capture->level == &dj_linux_perf};
    struct dj_kernel_clock clock = {.sink = {dj_pressure_merge, &level->pressure},
                                    .offset_ns = capture->kernel_ns};
    level->pressure.sink = sink;
    int code = dj_perf_events_read(
        &reader, (struct dj_event_sink){dj_kernel_clock_convert, &clock}, err);
    capture->result.events = reader.events;
    capture->has_counters = level->refused && level->pressure.has_threads;
    return code == 0 ? dj_pressure_write_rest(&level->pressure) : code;
}

const struct dj_linux_level dj_linux_perf = {
    .level = DJ_CAPTURE_PERF,
    .own_bytes = sizeof(struct perf_level),
    .open = open_level,
    .drain = drain_level,
    .close = close_level,
    .write_events = write_level_events,
    .finish = finish_level,
};

const struct dj_linux_level dj_linux_own = {
    .level = DJ_CAPTURE_OWN,
    .own_bytes = sizeof(struct perf_level),
    .open = open_level,
    .drain = drain_level,
    .close = close_level,
    .write_events = write_level_events,
    .finish = finish_level,
};
