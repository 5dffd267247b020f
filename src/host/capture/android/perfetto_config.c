#include "capture/android/perfetto_config.h"

#include <string.h>

#include "capture/android/config_writer.h"

enum {
    PROCESSES_KB = 4096, /* Size of a separate buffer for process names, so that newer
                          * events do not overwrite them. */
    KERNEL_KB = 8192,    /* Size of the kernel's buffer for each CPU in KiB. */
    DRAIN_MS = 250,
    FLUSH_MS = 5000,
    WRITE_MS = 2500,
    LATEST = 1 << 30
};

/* Kernel events, and the first and last API level at which they are requested. Before
 * Android 10, perfetto accepts neither patterns nor a group before the name of an event.
 * A device ignores requested events that its kernel does not have. */
static const struct {
    int from, to;
    const char *name;
} events[] = {
    {28, LATEST, "sched/sched_switch"},
    {28, LATEST, "sched/sched_waking"},
    {28, LATEST, "sched/sched_wakeup_new"},
    {28, LATEST, "sched/sched_blocked_reason"},
    {28, LATEST, "sched/sched_process_exit"},
    {28, LATEST, "sched/sched_process_free"},
    {28, LATEST, "task/task_newtask"},
    {28, LATEST, "task/task_rename"},
    {28, LATEST, "ftrace/print"},
    {28, LATEST, "power/cpu_frequency"},
    {28, LATEST, "power/cpu_frequency_limits"},
    {28, LATEST, "power/cpu_idle"},
    {28, LATEST, "power/suspend_resume"},
    {30, LATEST, "power/gpu_frequency"},
    {30, LATEST, "thermal/thermal_temperature"},
    {30, LATEST, "thermal/cdev_update"},
    {28, 28, "binder/binder_transaction"},
    {28, 28, "binder/binder_transaction_received"},
    {28, 28, "binder/binder_lock"},
    {28, 28, "binder/binder_locked"},
    {28, 28, "binder/binder_unlock"},
    {29, LATEST, "binder/*"},
    {29, LATEST, "dma_fence/*"},
    {29, LATEST, "fence/*"},
    {29, LATEST, "sync/*"},
    {29, LATEST, "mali/*"},
    {29, LATEST, "kgsl/*"},
    {28, LATEST, "vmscan/mm_vmscan_direct_reclaim_begin"},
    {28, LATEST, "vmscan/mm_vmscan_direct_reclaim_end"},
    {28, LATEST, "block/block_rq_issue"},
    {28, LATEST, "block/block_rq_complete"},
    {33, LATEST, "block/block_io_start"},
    {33, LATEST, "block/block_io_done"},
};

static void write_buffer(struct dj_config_writer *writer, int64_t size_kb, bool ring)
{
    dj_config_writer_open(writer, 1, "buffers");
    dj_config_writer_int(writer, 1, "size_kb", (uint64_t)size_kb);
    dj_config_writer_enum(writer, 4, "fill_policy", ring ? "RING_BUFFER" : "DISCARD",
                          ring ? 1 : 2);
    dj_config_writer_close(writer);
}

static void open_source(struct dj_config_writer *writer, const char *name,
                        uint64_t buffer)
{
    dj_config_writer_open(writer, 2, "data_sources");
    dj_config_writer_open(writer, 1, "config");
    dj_config_writer_string(writer, 1, "name", name);
    dj_config_writer_int(writer, 2, "target_buffer", buffer);
}

static void close_source(struct dj_config_writer *writer)
{
    dj_config_writer_close(writer);
    dj_config_writer_close(writer);
}

static void write_processes(struct dj_config_writer *writer)
{
    open_source(writer, "linux.process_stats", 1);
    dj_config_writer_open(writer, 103, "process_stats_config");
    dj_config_writer_bool(writer, 2, "scan_all_processes_on_start", true);
    dj_config_writer_bool(writer, 3, "record_thread_names", true);
    dj_config_writer_close(writer);
    close_source(writer);
}

static void write_events(struct dj_config_writer *writer, int api)
{
    for (size_t i = 0; i < COUNT_OF(events); i++) {
        if (api >= events[i].from && api <= events[i].to) {
            const char *name =
                api >= 29 ? events[i].name : strchr(events[i].name, '/') + 1;
            dj_config_writer_string(writer, 1, "ftrace_events", name);
        }
    }
}

static void write_kernel(struct dj_config_writer *writer,
                         const struct dj_android_config *config)
{
    open_source(writer, "linux.ftrace", 0);
    dj_config_writer_open(writer, 100, "ftrace_config");
    write_events(writer, config->api);
    for (size_t i = 0; i < config->categories->count; i++) {
        dj_config_writer_string(writer, 2, "atrace_categories",
                                config->categories->names[i]);
    }
    if (config->app != NULL) {
        dj_config_writer_string(writer, 3, "atrace_apps", config->app);
    }
    dj_config_writer_int(writer, 10, "buffer_size_kb", KERNEL_KB);
    dj_config_writer_int(writer, 11, "drain_period_ms", DRAIN_MS);
    if (config->api >= 30) {
        dj_config_writer_open(writer, 12, "compact_sched");
        dj_config_writer_bool(writer, 1, "enabled", true);
        dj_config_writer_close(writer);
    }
    if (config->api >= 31) { /* This option records the names of the kernel functions
                              * in which threads are blocked. */
        dj_config_writer_bool(writer, 13, "symbolize_ksyms", true);
    }
    dj_config_writer_close(writer);
    close_source(writer);
}

static void write_session(struct dj_config_writer *writer,
                          const struct dj_android_config *config)
{
    dj_config_writer_int(writer, 3, "duration_ms", (uint64_t)config->duration_ms);
    if (config->file_max_bytes > 0) {
        dj_config_writer_bool(writer, 8, "write_into_file", true);
        dj_config_writer_int(writer, 9, "file_write_period_ms", WRITE_MS);
        dj_config_writer_int(writer, 10, "max_file_size_bytes",
                             (uint64_t)config->file_max_bytes);
    }
    dj_config_writer_int(writer, 13, "flush_period_ms", FLUSH_MS);
    if (config->api >= 30) {
        dj_config_writer_open(writer, 21, "incremental_state_config");
        dj_config_writer_int(writer, 1, "clear_period_ms", FLUSH_MS);
        dj_config_writer_close(writer);
    }
}

void dj_android_config_write(const struct dj_android_config *config, struct dj_text *out)
{
    struct dj_config_writer writer = {.out = out,
                                      .binary = config->api < DJ_ANDROID_TEXT_CONFIG};
    write_buffer(&writer, config->ring_kb, true);
    write_buffer(&writer, PROCESSES_KB, false);
    write_session(&writer, config);
    if (config->api >= 31) {
        open_source(&writer, "android.surfaceflinger.frametimeline", 0);
        close_source(&writer);
    }
    write_processes(&writer);
    write_kernel(&writer, config);
}
