#include "triage/along.h"

static bool is_run(const struct dj_triage_key *key)
{
    return key->kind == DJ_CAUSE_OWN_WORK || key->kind == DJ_CAUSE_FREQUENCY;
}

static struct dj_triage_along with_work(const struct dj_triage *triage,
                                        const struct dj_triage_seen *frame,
                                        const struct dj_triage_less *less)
{
    struct dj_triage_along along = {0, 0};
    int64_t left_ns = less->removable_ns;
    for (size_t i = frame->part_count; i-- > 0 && left_ns > 0;) {
        const struct dj_triage_kept_part *part = &triage->parts[frame->first_part + i];
        const struct dj_triage_key *key = &triage->keys[part->key];
        int64_t length_ns = part->end_ns - part->start_ns;
        if (key->thread == less->thread && is_run(key)) {
            left_ns -= length_ns;
        } else if (key->thread == less->thread && key->name == less->name &&
                   key->kept_off) {
            along.ns += length_ns;
            along.foreign_ns += key->foreign ? length_ns : 0;
        }
    }
    return along;
}

static int64_t part_of(int64_t ns, const struct dj_triage_less *less)
{
    return less->removable_ns >= less->ns
               ? ns
               : (int64_t)((double)ns * (double)less->removable_ns / (double)less->ns);
}

struct dj_triage_along dj_triage_along_of(const struct dj_triage *triage,
                                          const struct dj_triage_seen *frame,
                                          const struct dj_triage_less *less)
{
    if (less->works) {
        return with_work(triage, frame, less);
    }
    return (struct dj_triage_along){part_of(less->woken.ns, less),
                                    part_of(less->woken.foreign_ns, less)};
}
