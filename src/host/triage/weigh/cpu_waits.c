#include "triage/weigh/weigh.h"

bool dj_triage_is_running_kind(enum dj_cause_kind kind)
{
    return kind == DJ_CAUSE_OWN_WORK || kind == DJ_CAUSE_FREQUENCY;
}

static struct dj_triage_cpu_wait
compute_work_cpu_wait(const struct dj_triage *triage, const struct dj_triage_cause *work,
                      const struct dj_triage_frame_record *frame, int64_t removable_ns)
{
    struct dj_triage_cpu_wait cpu_wait = {0, 0};
    int64_t left_ns = removable_ns;
    for (size_t i = frame->part_count; i-- > 0 && left_ns > 0;) {
        const struct dj_triage_stored_part *part = &triage->parts[frame->first_part + i];
        const struct dj_triage_key *key = &triage->keys[part->key];
        int64_t length_ns = part->end_ns - part->start_ns;
        if (key->thread == work->thread && dj_triage_is_running_kind(key->kind)) {
            left_ns -= length_ns;
        } else if (key->thread == work->thread && key->name == work->name &&
                   key->preempted) {
            cpu_wait.ns += length_ns;
            cpu_wait.foreign_ns += key->foreign ? length_ns : 0;
        }
    }
    return cpu_wait;
}

static int64_t scale_part(int64_t ns, int64_t part_ns, int64_t whole_ns)
{
    return part_ns >= whole_ns
               ? ns
               : (int64_t)((double)ns * (double)part_ns / (double)whole_ns);
}

struct dj_triage_cpu_wait dj_triage_compute_cpu_wait(const struct dj_triage *triage,
                                                     const struct dj_triage_cause *cause,
                                                     const struct dj_triage_share *share,
                                                     int64_t removable_ns)
{
    if (dj_triage_is_running_kind(cause->kind)) {
        return compute_work_cpu_wait(triage, cause, &triage->frames[share->frame],
                                     removable_ns);
    }
    return (struct dj_triage_cpu_wait){
        scale_part(share->woken.ns, removable_ns, share->ns),
        scale_part(share->woken.foreign_ns, removable_ns, share->ns)};
}
