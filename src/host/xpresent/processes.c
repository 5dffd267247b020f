/* Finds the processes of X clients, and opens their segments. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device/program.h"
#include "frame/interval.h"
#include "memory/memory.h"
#include "segment/snapshot.h"
#include "xpresent/session.h"

/* Maximum number of ancestors of a process that are examined. Real processes have
 * fewer. */
enum { ANCESTORS_MAX = 64 };

/* Reads a file in /proc/PID without its last newline. Returns false if the file does not
 * exist any more. */
static bool read_process_file(int64_t pid, const char *name, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%lld/%s", (long long)pid, name);
    FILE *file = fopen(path, "re");
    size_t length = file != NULL ? fread(text, 1, size - 1, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return length > 0;
}

/* Returns the id of the parent process, or 0 if it is unknown. */
static int64_t get_parent(int64_t pid)
{
    char stat[512];
    long long parent = 0;
    if (read_process_file(pid, "stat", stat, sizeof(stat))) {
        /* The name in parentheses may contain spaces and parentheses. */
        const char *after = strrchr(stat, ')');
        if (after == NULL || sscanf(after, ") %*c %lld", &parent) != 1) {
            parent = 0;
        }
    }
    return parent;
}

static bool is_descendant(int64_t pid, int64_t ancestor)
{
    for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++) {
        if (pid == ancestor) {
            return true;
        }
        pid = get_parent(pid);
    }
    return false;
}

/* Sets the program and the name of a process. For a program in a sandbox, the path is the
 * path inside the sandbox. */
static void set_names(const struct dj_xpresent_options *options,
                      struct dj_xpresent_process *process)
{
    char link[64];
    char path[PATH_MAX];
    snprintf(link, sizeof(link), "/proc/%lld/exe", (long long)process->pid);
    ssize_t length = readlink(link, path, sizeof(path) - 1);
    path[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(path, '/');
    if (slash != NULL) {
        snprintf(process->program, sizeof(process->program), "%s", slash + 1);
        dj_device_program_default_name(path, NULL, process->name, sizeof(process->name));
    } else {
        /* Other users may not read the path of a process's program, but they may read its
         * name. */
        read_process_file(process->pid, "comm", process->program,
                          sizeof(process->program));
        snprintf(process->name, sizeof(process->name), "%s", process->program);
    }
    if (options->name != NULL && (options->pid == 0 || options->pid == process->pid)) {
        snprintf(process->name, sizeof(process->name), "%s", options->name);
    } else if (options->name != NULL) {
        snprintf(process->name, sizeof(process->name), "%.*s:%.*s", DJ_SEGMENT_NAME / 2,
                 options->name, DJ_SEGMENT_NAME / 2 - 2, process->program);
    }
}

struct dj_xpresent_process *dj_xpresent_processes_get(struct dj_xpresent_session *session,
                                                      int64_t pid)
{
    uint64_t start_ticks = dj_segment_process_start_ticks(pid);
    for (size_t i = 0; i < session->process_count; i++) {
        struct dj_xpresent_process *process = session->processes[i];
        if (process->pid == pid && process->start_ticks == start_ticks) {
            return process;
        }
    }
    if (start_ticks == 0) {
        return NULL;
    }
    const struct dj_xpresent_options *options = session->options;
    struct dj_xpresent_process *process = dj_xcalloc(1, sizeof(*process));
    process->pid = pid;
    process->start_ticks = start_ticks;
    process->found_ns = dj_host_now_ns();
    process->is_selected =
        options->all || (options->pid != 0 && is_descendant(pid, options->pid));
    set_names(options, process);
    DJ_XPUSH(session->processes, session->process_count, process);
    return process;
}

/* Returns whether a recorder inside the process already writes a segment. A segment
 * counts even if it has no frames yet. A segment of an earlier recording from outside
 * does not count. */
static bool is_recorded_inside(const struct dj_segment_directory *place,
                               const struct dj_xpresent_process *process)
{
    bool recorded = false;
    for (unsigned image = 0; image < DJ_SEGMENT_IMAGES && !recorded; image++) {
        char name[DJ_SEGMENT_FILE_NAME];
        char path[DJ_SEGMENT_PATH + DJ_SEGMENT_FILE_NAME];
        struct dj_snapshot snapshot = {0};
        dj_segment_file_name(name, process->pid, process->start_ticks, image);
        snprintf(path, sizeof(path), "%s/%s", place->path, name);
        if (access(path, F_OK) != 0) {
            break;
        }
        const struct dj_snapshot_options newest = {.rows = 1};
        int code = dj_segment_snapshot_read(path, place->owner, &newest, &snapshot, NULL);
        recorded = code == 0 ? snapshot.pipelines != 1U << DJ_PIPELINE_X_PRESENT : true;
        dj_segment_snapshot_finish(&snapshot);
    }
    return recorded;
}

static int create_segment(struct dj_xpresent_session *session,
                          struct dj_xpresent_process *process, struct dj_error *err)
{
    const struct dj_xpresent_options *options = session->options;
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    const struct dj_segment_options segment = {
        .directory = session->place.path,
        .name = process->name,
        .pid = process->pid,
        .program = process->program,
        .dialect = options->dialect,
        .keep = options->keep,
        .interval_ns =
            options->interval_ns > 0 ? options->interval_ns : DJ_ASSUMED_INTERVAL_NS,
        .interval_assumed = options->interval_ns == 0,
        .now_ns = dj_host_now_ns(),
        .wall_ns = (int64_t)wall.tv_sec * DJ_SECOND_NS + wall.tv_nsec,
        .retention = options->retention,
        .run_ns = session->options->run_ns,
    };
    int code = dj_segment_create(&process->writer, &segment, err);
    if (code == 0) {
        atomic_fetch_or(&process->writer.header->pipelines, 1U << DJ_PIPELINE_X_PRESENT);
    }
    return code;
}

bool dj_xpresent_processes_open(struct dj_xpresent_session *session,
                                struct dj_xpresent_process *process)
{
    struct dj_error err = {0};
    if (process->writer.header != NULL || process->is_refused) {
        return !process->is_refused;
    }
    if (is_recorded_inside(&session->place, process)) {
        dj_message(session->options->messages,
                   "%s (pid %lld) is recorded already, with more detail, by 'dejank "
                   "record -- CMD': not recorded from outside",
                   process->name, (long long)process->pid);
        process->is_refused = true;
    } else if (create_segment(session, process, &err) != 0) {
        dj_message(session->options->messages, "%s (pid %lld) is not recorded: %s",
                   process->name, (long long)process->pid, err.message);
        process->is_refused = true;
    }
    return !process->is_refused;
}

void dj_xpresent_processes_finish(struct dj_xpresent_session *session)
{
    for (size_t i = 0; i < session->process_count; i++) {
        struct dj_xpresent_process *process = session->processes[i];
        if (process->writer.header != NULL) {
            if (dj_segment_process_is_alive(process->pid, process->start_ticks)) {
                dj_segment_disable(&process->writer,
                                   "the recording from outside has ended");
            }
            dj_segment_unmap(&process->writer);
        }
        free(process);
    }
    free(session->processes);
    session->processes = NULL;
    session->process_count = 0;
}
