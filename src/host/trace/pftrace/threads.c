#include <string.h>

#include "trace/pftrace/writer_private.h"
#include "trace/trace.h"

static void write_cmdline(struct dj_text *text, int32_t pid, struct dj_str name,
                          bool is_comm)
{
    size_t process = dj_proto_begin(text, DJ_PF_TREE_PROCESS);
    dj_proto_add_int(text, DJ_PF_PROCESS_PID, pid);
    dj_proto_add_text(text, DJ_PF_PROCESS_CMDLINE, name);
    if (is_comm) {
        dj_proto_add_uint(text, DJ_PF_PROCESS_IS_COMM, 1);
    }
    dj_proto_end(text, process);
}

/* Writes a thread. If it is the main thread and the full name of the process is unknown,
 * also writes the thread's name as the name of the process. */
static void write_thread(struct dj_trace_writer *writer,
                         const struct dj_pftrace_written_thread *entry,
                         struct dj_str name)
{
    struct dj_text *text = &writer->out.text;
    dj_pftrace_open_message(writer, DJ_PF_PACKET_PROCESS_TREE);
    if (entry->tid == entry->pid && name.length > 0 && !entry->titled) {
        write_cmdline(text, entry->pid, name, true);
    }
    size_t thread = dj_proto_begin(text, DJ_PF_TREE_THREAD);
    dj_proto_add_int(text, DJ_PF_THREAD_TID, entry->tid);
    if (name.length > 0) {
        dj_proto_add_text(text, DJ_PF_THREAD_NAME, name);
    }
    dj_proto_add_int(text, DJ_PF_THREAD_TGID, entry->pid);
    dj_proto_end(text, thread);
    dj_pftrace_close_message(writer);
}

static void write_rename(struct dj_trace_writer *writer, int64_t at_ns, int32_t tid,
                         struct dj_str name)
{
    struct dj_text *text = &writer->out.text;
    dj_pftrace_open_message_at(writer, at_ns, DJ_PF_PACKET_TASK_RENAME);
    dj_proto_add_int(text, DJ_PF_TASK_RENAME_TID, tid);
    dj_proto_add_text(text, DJ_PF_TASK_RENAME_NAME, name);
    dj_pftrace_close_message(writer);
}

void dj_pftrace_write_rename(struct dj_trace_writer *writer, const struct dj_event *event)
{
    dj_pftrace_note_name(writer, event->other, event->other_name);
    write_rename(writer, event->at_ns, event->other, event->other_name);
}

/* Writes a thread whose process is unknown. Perfetto uses this form for kernels without
 * /proc. */
static void write_task(struct dj_trace_writer *writer, int32_t tid, struct dj_str name)
{
    struct dj_text *text = &writer->out.text;
    dj_pftrace_open_message(writer, DJ_PF_PACKET_TASK_TREE);
    size_t thread = dj_proto_begin(text, DJ_PF_TREE_THREAD);
    dj_proto_add_int(text, DJ_PF_TASK_TREE_TID, tid);
    dj_proto_add_text(text, DJ_PF_TASK_TREE_NAME, name);
    dj_proto_end(text, thread);
    dj_pftrace_close_message(writer);
}

/* Writes the name and the process of a thread. If the process is unknown, the thread
 * cannot be written to a list of threads, because it would belong to process 0 there. Its
 * name is then written as a rename. A rename needs a time, so before the first event the
 * thread is written as a task instead. */
static void write_entry(struct dj_trace_writer *writer,
                        const struct dj_pftrace_written_thread *thread,
                        struct dj_str name)
{
    if (thread->pid > 0) {
        write_thread(writer, thread, name);
    } else if (name.length > 0 && writer->begun) {
        write_rename(writer, writer->now_ns, thread->tid, name);
    } else if (name.length > 0) {
        write_task(writer, thread->tid, name);
    }
}

static void write_waiting(struct dj_trace_writer *writer,
                          struct dj_pftrace_written_thread *thread)
{
    if (thread->waits) {
        thread->waits = false;
        write_entry(writer, thread, (struct dj_str){thread->name, thread->length});
    }
}

void dj_pftrace_write_waiting_threads(struct dj_trace_writer *writer)
{
    for (size_t i = 0; i < DJ_PF_THREADS; i++) {
        write_waiting(writer, &writer->threads[i]);
    }
}

/* Returns the entry of a thread. If there is none, creates it. The entry is at the hash
 * of the thread's id, or at one of the next few places. If all these places are in use,
 * replaces the entry in the last one. */
static struct dj_pftrace_written_thread *find_entry(struct dj_trace_writer *writer,
                                                    int32_t tid)
{
    enum { NEAR = 8 };
    size_t home = (size_t)dj_pftrace_mix(0, (uint32_t)tid);
    struct dj_pftrace_written_thread *thread = NULL;
    for (size_t i = 0; i < NEAR; i++) {
        thread = &writer->threads[(home + i) & (DJ_PF_THREADS - 1)];
        if (thread->tid == tid || thread->tid == 0) {
            thread->tid = tid;
            return thread;
        }
    }
    write_waiting(writer, thread);
    *thread = (struct dj_pftrace_written_thread){.tid = tid};
    return thread;
}

static void set_waiting(struct dj_pftrace_written_thread *thread, struct dj_str name)
{
    thread->waits = true;
    if (name.length > 0) {
        thread->length =
            (uint8_t)(name.length < sizeof(thread->name) ? name.length
                                                         : sizeof(thread->name));
        memcpy(thread->name, name.at, thread->length);
    }
}

/* Writes what the trace does not contain yet about a thread. Writes only the first name
 * of a thread. This name is valid until the kernel reports a change of the name. */
void dj_pftrace_describe_thread(struct dj_trace_writer *writer, int32_t tid, int32_t pid,
                                struct dj_str name)
{
    static const struct dj_str none = {"", 0};
    if (tid <= 0) {
        return;
    }
    struct dj_pftrace_written_thread *thread = find_entry(writer, tid);
    bool new_pid = pid > 0 && pid != thread->pid;
    bool new_name = dj_event_is_known_name(name) && !thread->named;
    if (!new_pid && !new_name) {
        return;
    }
    thread->pid = new_pid ? pid : thread->pid;
    thread->named |= new_name;
    if (writer->begun) {
        write_entry(writer, thread, new_name ? name : none);
    } else {
        set_waiting(thread, new_name ? name : none);
    }
}

void dj_pftrace_write_process(struct dj_trace_writer *writer, int32_t pid,
                              struct dj_str name)
{
    struct dj_text *text = &writer->out.text;
    if (pid <= 0) {
        return;
    }
    find_entry(writer, pid)->titled = true;
    dj_pftrace_open_message(writer, DJ_PF_PACKET_PROCESS_TREE);
    write_cmdline(text, pid, name, false);
    dj_pftrace_close_message(writer);
}

void dj_pftrace_note_name(struct dj_trace_writer *writer, int32_t tid, struct dj_str name)
{
    if (tid > 0 && dj_event_is_known_name(name)) {
        find_entry(writer, tid)->named = true;
    }
}

void dj_pftrace_write_thread(struct dj_trace_writer *writer, const struct dj_event *event)
{
    dj_pftrace_describe_thread(writer, event->other, event->pid, event->other_name);
    if (event->pid > 0 && event->name.length > 0) {
        dj_pftrace_write_process(writer, event->pid, event->name);
    }
}

/* Perfetto's number for each value of enum dj_thread_state, or 0 if Perfetto has no such
 * state. */
static const uint8_t task_states[DJ_THREAD_STATES] = {
    [DJ_THREAD_RUNNING] = 3,  [DJ_THREAD_RUNNABLE] = 2, [DJ_THREAD_PREEMPTED] = 2,
    [DJ_THREAD_SLEEPING] = 4, [DJ_THREAD_BLOCKED] = 5,  [DJ_THREAD_BLOCKED_IO] = 5,
    [DJ_THREAD_STOPPED] = 6,  [DJ_THREAD_DEAD] = 7,
};

void dj_pftrace_write_task(struct dj_trace_writer *writer, const struct dj_event *event)
{
    struct dj_text *text = &writer->out.text;
    dj_pftrace_describe_thread(writer, event->other, event->pid, (struct dj_str){"", 0});
    dj_pftrace_open_message_at(writer, event->at_ns, DJ_PF_PACKET_TASK_STATE);
    if (event->cpu >= 0) {
        dj_proto_add_int(text, DJ_PF_TASK_CPU, event->cpu);
    }
    if (event->other_name.length > 0) {
        dj_proto_add_text(text, DJ_PF_TASK_NAME, event->other_name);
        dj_pftrace_note_name(writer, event->other, event->other_name);
    }
    dj_proto_add_int(text, DJ_PF_TASK_TID, event->other);
    dj_proto_add_uint(
        text, DJ_PF_TASK_STATE,
        event->thread_state < DJ_THREAD_STATES ? task_states[event->thread_state] : 0);
    dj_pftrace_close_message(writer);
}
