#include "trace/pftrace_parts.h"
#include "trace/trace.h"

/* ProcessTree.Process: the name is that of the main thread. */
enum { PROCESS_NAME_IS_COMM = 9 };

/* "<...>" and "<idle>" are no names. */
static bool is_name(struct dj_words name)
{
    return name.length > 0 && name.at[0] != '<';
}

static struct dj_pf_thread *find(struct dj_pftrace *writer, int32_t tid)
{
    struct dj_pf_thread *thread =
        &writer->threads[dj_pf_mix(0, (uint32_t)tid) & (DJ_PF_THREADS - 1)];
    if (thread->tid != tid) {
        *thread = (struct dj_pf_thread){.tid = tid};
    }
    return thread;
}

static void put_cmdline(struct dj_text *text, int32_t pid, struct dj_words name,
                        bool is_comm)
{
    size_t process = dj_proto_open(text, DJ_PF_TREE_PROCESS);
    dj_proto_int(text, DJ_PF_PROCESS_PID, pid);
    dj_proto_words(text, DJ_PF_PROCESS_CMDLINE, name);
    if (is_comm) {
        dj_proto_uint(text, PROCESS_NAME_IS_COMM, 1);
    }
    dj_proto_close(text, process);
}

void dj_pf_put_process(struct dj_pftrace *writer, int32_t pid, struct dj_words name)
{
    struct dj_text *text = &writer->out.text;
    size_t packet = dj_pf_open_packet(writer);
    size_t tree = dj_proto_open(text, DJ_PF_PACKET_PROCESS_TREE);
    put_cmdline(text, pid, name, false);
    dj_proto_close(text, tree);
    dj_proto_close(text, packet);
}

static void put_thread(struct dj_pftrace *writer, int32_t tid, int32_t pid,
                       struct dj_words name)
{
    struct dj_text *text = &writer->out.text;
    size_t packet = dj_pf_open_packet(writer);
    size_t tree = dj_proto_open(text, DJ_PF_PACKET_PROCESS_TREE);
    size_t thread = dj_proto_open(text, DJ_PF_TREE_THREAD);
    dj_proto_int(text, DJ_PF_THREAD_TID, tid);
    if (name.length > 0) {
        dj_proto_words(text, DJ_PF_THREAD_NAME, name);
    }
    dj_proto_int(text, DJ_PF_THREAD_TGID, pid);
    dj_proto_close(text, thread);
    dj_proto_close(text, tree);
    dj_proto_close(text, packet);
}

/* A thread of no known process: in a ProcessTree it would be one of process 0. */
static void put_rename(struct dj_pftrace *writer, int32_t tid, struct dj_words name)
{
    struct dj_text *text = &writer->out.text;
    size_t packet = dj_pf_open_packet(writer);
    size_t rename = dj_proto_open(text, DJ_PF_PACKET_TASK_RENAME);
    dj_proto_int(text, DJ_PF_TASK_RENAME_TID, tid);
    dj_proto_words(text, DJ_PF_TASK_RENAME_NAME, name);
    dj_proto_close(text, rename);
    dj_proto_close(text, packet);
}

/* The first name is its name, until the kernel says that it changed. */
void dj_pf_tell_thread(struct dj_pftrace *writer, int32_t tid, int32_t pid,
                       struct dj_words name)
{
    if (tid <= 0) {
        return;
    }
    struct dj_pf_thread *thread = find(writer, tid);
    bool new_pid = pid > 0 && pid != thread->pid;
    bool new_name = is_name(name) && !thread->named;
    if (!new_pid && !new_name) {
        return;
    }
    thread->pid = new_pid ? pid : thread->pid;
    thread->named |= new_name;
    if (thread->pid > 0) {
        put_thread(writer, tid, thread->pid, new_name ? name : (struct dj_words){"", 0});
    } else {
        put_rename(writer, tid, name);
    }
}

void dj_pf_note_name(struct dj_pftrace *writer, int32_t tid, struct dj_words name)
{
    if (tid > 0 && is_name(name)) {
        find(writer, tid)->named = true;
    }
}

void dj_pf_put_thread(struct dj_pftrace *writer, const struct dj_event *event)
{
    dj_pf_tell_thread(writer, event->other, event->pid, event->other_name);
    if (event->pid > 0 && event->name.length > 0) {
        dj_pf_put_process(writer, event->pid, event->name);
    }
}

/* Of enum dj_thread_state; 0 is none of them. */
static const uint8_t task_states[DJ_THREAD_STATES] = {
    [DJ_THREAD_RUNNING] = 3,  [DJ_THREAD_RUNNABLE] = 2, [DJ_THREAD_PREEMPTED] = 2,
    [DJ_THREAD_SLEEPING] = 4, [DJ_THREAD_BLOCKED] = 5,  [DJ_THREAD_BLOCKED_IO] = 5,
    [DJ_THREAD_STOPPED] = 6,  [DJ_THREAD_DEAD] = 7,
};

void dj_pf_put_task(struct dj_pftrace *writer, const struct dj_event *event)
{
    struct dj_text *text = &writer->out.text;
    dj_pf_tell_thread(writer, event->other, event->pid, (struct dj_words){"", 0});
    size_t packet = dj_pf_open_packet_at(writer, event->at_ns);
    size_t task = dj_proto_open(text, DJ_PF_PACKET_TASK_STATE);
    if (event->cpu >= 0) {
        dj_proto_int(text, DJ_PF_TASK_CPU, event->cpu);
    }
    if (event->other_name.length > 0) {
        dj_proto_words(text, DJ_PF_TASK_NAME, event->other_name);
        dj_pf_note_name(writer, event->other, event->other_name);
    }
    dj_proto_int(text, DJ_PF_TASK_TID, event->other);
    dj_proto_uint(
        text, DJ_PF_TASK_STATE,
        event->thread_state < DJ_THREAD_STATES ? task_states[event->thread_state] : 0);
    dj_proto_close(text, task);
    dj_proto_close(text, packet);
}
