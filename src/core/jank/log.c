#include "jank/log.h"

#include "base/checked.h"

/* Returns the value of a column if it is known and above 0, otherwise DJ_JANK_UNKNOWN.
 * hwui writes 0 or −1 for times that it does not know. */
static int64_t get_stamp(const struct dj_frame *row, enum dj_column column)
{
    int64_t stamp_ns = dj_frame_get(row, column, 0);
    return stamp_ns > 0 ? stamp_ns : DJ_JANK_UNKNOWN;
}

/* Returns the value of a present or deadline column. Returns DJ_JANK_UNKNOWN if the value
 * is before the frame's start, because it then belongs to an older frame in the same ring
 * slot. */
static int64_t get_later_stamp(const struct dj_frame *row, enum dj_column column)
{
    int64_t stamp_ns = get_stamp(row, column);
    return stamp_ns > row->value[DJ_COLUMN_INTENDED_VSYNC] && stamp_ns != INT64_MAX
               ? stamp_ns
               : DJ_JANK_UNKNOWN;
}

static int64_t find_interval(const struct dj_frame *row,
                             const struct dj_summary_rules *rules)
{
    int64_t interval_ns = dj_frame_get(row, DJ_COLUMN_FRAME_INTERVAL, 0);
    return interval_ns > 0           ? interval_ns
           : rules->interval_assumed ? DJ_JANK_UNKNOWN
                                     : rules->interval_ns;
}

static int64_t measure_ui(const struct dj_frame *row)
{
    int64_t ui_ns = DJ_JANK_UNKNOWN;
    dj_frame_duration(row, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
                      &ui_ns);
    return ui_ns;
}

/* Reads a row with no known time except the present. If the row is marked as skipped, the
 * display never showed the frame. */
static struct dj_jank_frame read_present(const struct dj_frame *row,
                                         const struct dj_row_facts *facts,
                                         const struct dj_summary_rules *rules)
{
    int64_t at_ns = row->value[DJ_COLUMN_DISPLAY_PRESENT_TIME];
    return (struct dj_jank_frame){
        .start_ns = at_ns,
        .completed_ns = at_ns,
        .present_ns = facts->usability == DJ_ROW_SKIPPED ? DJ_JANK_UNKNOWN : at_ns,
        .animation_ns = DJ_JANK_UNKNOWN,
        .interval_ns = find_interval(row, rules),
        .deadline_ns = DJ_JANK_UNKNOWN,
        .ui_ns = DJ_JANK_UNKNOWN,
        .present_only = true,
    };
}

static struct dj_jank_frame read_row(const struct dj_frame *row,
                                     const struct dj_row_facts *facts,
                                     const struct dj_summary_rules *rules)
{
    if (dj_frame_is_present_only(row)) {
        return read_present(row, facts, rules);
    }
    return (struct dj_jank_frame){
        .start_ns = row->value[DJ_COLUMN_INTENDED_VSYNC],
        .completed_ns = row->value[DJ_COLUMN_FRAME_COMPLETED],
        .present_ns = get_later_stamp(row, DJ_COLUMN_DISPLAY_PRESENT_TIME),
        .animation_ns = get_stamp(row, DJ_COLUMN_ANIMATION_TIME),
        .interval_ns = find_interval(row, rules),
        .deadline_ns = get_later_stamp(row, DJ_COLUMN_FRAME_DEADLINE),
        .ui_ns = measure_ui(row),
        .excluded = facts->usability != DJ_ROW_USABLE,
    };
}

/* The trackers of hwui's two rules. A tracker is needed because a frame's deadline
 * depends on the frames before it. */
struct judges {
    /* Tracker of the rule of the release that wrote the rows. */
    struct dj_tracker own;
    struct dj_tracker deadline; /* Tracker of the rule of Android 12 and later. */
    /* True if the release that wrote the rows is Android 12 or later. */
    bool is_new;
};

static void init_judge(struct dj_tracker *tracker, const struct dj_dialect *dialect,
                       const struct dj_summary_rules *rules)
{
    dj_frame_tracker_init(tracker, dialect, rules->interval_ns);
    tracker->forgiveness_ns = rules->forgiveness_ns;
    tracker->rejudges = true;
}

static void init_judges(struct judges *judges, const struct dj_summary_rules *rules)
{
    judges->is_new = rules->dialect->judge == dj_tracker_judge_frame_deadline;
    init_judge(&judges->own, rules->dialect, rules);
    init_judge(&judges->deadline,
               judges->is_new ? rules->dialect : dj_frame_dialect_find("13"), rules);
}

static uint8_t get_answer(const struct dj_verdict *verdict, enum dj_counter counter)
{
    return (verdict->counters & DJ_COUNTER_BIT(counter)) != 0 ? DJ_JANK_JANKY
                                                              : DJ_JANK_IN_TIME;
}

static void judge(struct judges *judges, const struct dj_frame *row,
                  struct dj_jank_frame *frame)
{
    struct dj_verdict verdict;
    bool judged = dj_frame_tracker_judge(&judges->own, row, &verdict);
    if (judged && frame->interval_ns != DJ_JANK_UNKNOWN &&
        judges->own.dialect->judge != dj_tracker_judge_none) {
        frame->legacy = get_answer(&verdict, judges->is_new ? DJ_COUNTER_JANKY_LEGACY
                                                            : DJ_COUNTER_JANKY);
    }
    if (frame->deadline_ns != DJ_JANK_UNKNOWN &&
        dj_frame_tracker_judge(&judges->deadline, row, &verdict)) {
        frame->deadline = get_answer(&verdict, DJ_COUNTER_JANKY);
    }
}

static bool is_skipped_present(const struct dj_frame *row,
                               const struct dj_row_facts *facts)
{
    return facts->usability == DJ_ROW_SKIPPED && dj_frame_is_present_only(row);
}

size_t dj_jank_read_rows(const struct dj_frame *rows, const struct dj_row_facts *facts,
                         size_t count, const struct dj_summary_rules *rules,
                         struct dj_jank_frame *frames)
{
    struct judges judges;
    size_t read = 0;
    init_judges(&judges, rules);
    for (size_t i = 0; i < count; i++) {
        if (dj_frame_row_was_shown(&facts[i]) ||
            is_skipped_present(&rows[i], &facts[i])) {
            frames[read] = read_row(&rows[i], &facts[i], rules);
            judge(&judges, &rows[i], &frames[read]);
            read++;
        }
    }
    return read;
}

bool dj_jank_follows(const struct dj_jank_log *log, size_t i)
{
    if (i == 0) {
        return false;
    }
    const struct dj_jank_frame *last = &log->frames[i - 1];
    int64_t start_ns = log->frames[i].start_ns;
    int64_t idle_ns = dj_checked_subtract_saturated(start_ns, last->completed_ns);
    return start_ns > last->start_ns && idle_ns / DJ_PAUSE_INTERVALS < log->interval_ns;
}

/* Returns whether the presents of both frames are known and in order. A present before
 * the previous frame's present is wrong. */
static bool are_presented(const struct dj_jank_frame *last,
                          const struct dj_jank_frame *frame)
{
    return last->present_ns != DJ_JANK_UNKNOWN && frame->present_ns != DJ_JANK_UNKNOWN &&
           frame->present_ns >= last->present_ns;
}

int64_t dj_jank_gap_ns(const struct dj_jank_log *log, size_t i)
{
    const struct dj_jank_frame *frame = &log->frames[i];
    const struct dj_jank_frame *last = i > 0 ? &log->frames[i - 1] : NULL;
    int64_t gap_ns;
    if (!dj_jank_follows(log, i)) {
        gap_ns = dj_checked_subtract_saturated(frame->completed_ns, frame->start_ns);
    } else if (are_presented(last, frame)) {
        gap_ns = dj_checked_subtract_saturated(frame->present_ns, last->present_ns);
    } else {
        gap_ns = dj_checked_subtract_saturated(frame->completed_ns, last->completed_ns);
    }
    return gap_ns > 0 ? gap_ns : 0;
}

int64_t dj_jank_pair_interval_ns(const struct dj_jank_frame *a,
                                 const struct dj_jank_frame *b)
{
    return a->interval_ns > b->interval_ns ? a->interval_ns : b->interval_ns;
}

int64_t dj_jank_count_intervals(int64_t span_ns, int64_t interval_ns)
{
    int64_t half_up_ns = interval_ns - interval_ns / 2;
    return span_ns / interval_ns + (span_ns % interval_ns >= half_up_ns);
}

int64_t dj_jank_refreshes(const struct dj_jank_log *log, size_t i)
{
    if (!dj_jank_follows(log, i)) {
        return -1;
    }
    const struct dj_jank_frame *last = &log->frames[i - 1];
    const struct dj_jank_frame *frame = &log->frames[i];
    int64_t interval_ns = dj_jank_pair_interval_ns(last, frame);
    bool presented = are_presented(last, frame);
    return interval_ns == DJ_JANK_UNKNOWN
               ? -1
               : dj_jank_count_intervals(
                     dj_checked_subtract_saturated(
                         presented ? frame->present_ns : frame->start_ns,
                         presented ? last->present_ns : last->start_ns),
                     interval_ns);
}
