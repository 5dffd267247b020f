#include "drive/touch.h"

#include "base/array.h"
#include "drive/gesture/list.h"

#define MS INT64_C(1000000)
#define TAP_NS (56 * MS)
#define LONG_TAP_NS (800 * MS)
#define SWIPE_NS (296 * MS)
#define FLING_NS (200 * MS)
#define FLING_LONGEST_NS (400 * MS)
/* Android computes the velocity of a finger from several points, so a fling must last at
 * least this long. */
#define FLING_SHORTEST_NS (40 * MS)
#define DRAG_NS (800 * MS)
/* Must be longer than Android's long press, which takes 400 to 500 ms. */
#define DRAG_HOLD_NS (600 * MS)
/* Android computes the velocity of a finger from the last 100 ms. A finger that rests
 * longer than this has velocity 0. */
#define SETTLE_NS (120 * MS)
#define PINCH_NS (496 * MS)

/* Maps the elapsed part of the duration to the travelled part of the distance. Both are
 * from 0 to 1. */
typedef double easing(double time);

static double ease_linear(double time)
{
    return time;
}

/* A motion with constant acceleration. The speed at the end is twice the mean speed.
 * Android's velocity tracker fits a parabola to the points. This curve is a parabola, so
 * the tracker measures its speed exactly. */
static double ease_accelerating(double time)
{
    return time * time;
}

/* The curve with minimum jerk, which describes how a hand starts and stops. */
static double ease_smooth(double time)
{
    return time * time * time * (10 + time * (6 * time - 15));
}

struct place {
    double x, y;
};

void dj_touch_plan_finish(struct dj_touch_plan *plan)
{
    free(plan->events);
    *plan = (struct dj_touch_plan){0};
}

static int round_to_pixel(double value)
{
    return (int)(value + 0.5);
}

static void add_event(struct dj_touch_plan *plan, int64_t at_ns, enum dj_touch_kind kind,
                      int pointer, struct place place)
{
    struct dj_touch_event event = {at_ns, kind, pointer, round_to_pixel(place.x),
                                   round_to_pixel(place.y)};
    plan->failed |= plan->count >= DJ_TOUCH_EVENTS_MAX ||
                    !DJ_ARRAY_PUSH(plan->events, plan->count, event);
}

static struct place interpolate(struct place from, struct place to, double share)
{
    return (struct place){from.x + (to.x - from.x) * share,
                          from.y + (to.y - from.y) * share};
}

/* The path of one finger. */
struct path {
    struct place from, to;
};

struct motion {
    int64_t hold_ns;   /* How long the finger rests before it moves. */
    int64_t move_ns;   /* How long the finger moves, a multiple of DJ_TOUCH_STEP_NS. */
    int64_t settle_ns; /* How long the finger rests before it is lifted. */
    easing *easing;
};

static void add_events(struct dj_touch_plan *plan, const struct path *paths,
                       int64_t at_ns, enum dj_touch_kind kind, double share)
{
    for (int i = 0; i < plan->fingers; i++) {
        add_event(plan, at_ns, kind, i, interpolate(paths[i].from, paths[i].to, share));
    }
}

static void plan_motion(struct dj_touch_plan *plan, const struct path *paths, int fingers,
                        const struct motion *motion)
{
    plan->fingers = fingers;
    plan->from_x = round_to_pixel(paths[0].from.x);
    plan->from_y = round_to_pixel(paths[0].from.y);
    plan->to_x = round_to_pixel(paths[0].to.x);
    plan->to_y = round_to_pixel(paths[0].to.y);
    plan->duration_ns = motion->hold_ns + motion->move_ns + motion->settle_ns;
    add_events(plan, paths, 0, DJ_TOUCH_DOWN, 0);
    int64_t steps = motion->move_ns / DJ_TOUCH_STEP_NS;
    for (int64_t i = 1; i <= steps; i++) {
        add_events(plan, paths, motion->hold_ns + i * DJ_TOUCH_STEP_NS, DJ_TOUCH_MOVE,
                   motion->easing((double)i / (double)steps));
    }
    /* A finger that rests is still reported. A real touch screen does the same, because a
     * real finger is never completely still. */
    for (int64_t ns = DJ_TOUCH_STEP_NS; ns <= motion->settle_ns; ns += DJ_TOUCH_STEP_NS) {
        add_events(plan, paths, motion->hold_ns + motion->move_ns + ns, DJ_TOUCH_MOVE, 1);
    }
    /* The finger is lifted at the time of the last point, because Android would interpret
     * a pause between the two as a stop. */
    add_events(plan, paths, plan->duration_ns, DJ_TOUCH_UP, 1);
}

static int64_t round_to_steps(int64_t ns)
{
    int64_t steps = ns / DJ_TOUCH_STEP_NS;
    return (steps < 1 ? 1 : steps) * DJ_TOUCH_STEP_NS;
}

static int compute_point(const struct dj_gesture_point *point,
                         const struct dj_ui_rect *area, struct place *place,
                         struct dj_error *err)
{
    int width = dj_drive_rect_width(area), height = dj_drive_rect_height(area);
    /* A position of 100 % is the last pixel of the area. */
    double x = point->x_percent ? point->x / 100 * (width - 1) : point->x;
    double y = point->y_percent ? point->y / 100 * (height - 1) : point->y;
    if (x > width - 1 || y > height - 1) {
        return dj_error_set(err, DJ_E_USAGE,
                            "the point %g,%g is outside of the area of %d×%d pixels", x,
                            y, width, height);
    }
    *place = (struct place){area->left + x, area->top + y};
    return 0;
}

/* Returns a path from 80 to 20 percent of the area, because touches at the edges of the
 * screen are gestures of the system. */
static struct path compute_path(enum dj_direction direction,
                                const struct dj_ui_rect *area)
{
    static const struct path shares[] = {
        [DJ_DIRECTION_NONE] = {{0.5, 0.5}, {0.5, 0.5}},
        [DJ_DIRECTION_UP] = {{0.5, 0.8}, {0.5, 0.2}},
        [DJ_DIRECTION_DOWN] = {{0.5, 0.2}, {0.5, 0.8}},
        [DJ_DIRECTION_LEFT] = {{0.8, 0.5}, {0.2, 0.5}},
        [DJ_DIRECTION_RIGHT] = {{0.2, 0.5}, {0.8, 0.5}},
    };
    const struct path *share = &shares[direction];
    double width = dj_drive_rect_width(area) - 1, height = dj_drive_rect_height(area) - 1;
    return (struct path){
        {area->left + share->from.x * width, area->top + share->from.y * height},
        {area->left + share->to.x * width, area->top + share->to.y * height}};
}

static double get_length(const struct path *path)
{
    double dx = path->to.x - path->from.x, dy = path->to.y - path->from.y;
    return __builtin_sqrt(dx * dx + dy * dy);
}

static int find_path(const struct dj_gesture *gesture, const struct dj_ui_rect *area,
                     struct path *path, struct dj_error *err)
{
    if (gesture->point_count == 0) {
        bool onwards = gesture->kind == DJ_GESTURE_SCROLL_TO &&
                       gesture->direction == DJ_DIRECTION_NONE;
        *path = compute_path(onwards ? DJ_DIRECTION_UP : gesture->direction, area);
        return 0;
    }
    int code = compute_point(&gesture->points[0], area, &path->from, err);
    if (code != 0) {
        return code;
    }
    path->to = path->from;
    return gesture->point_count == 2
               ? compute_point(&gesture->points[1], area, &path->to, err)
               : 0;
}

/* Plans a gesture with one finger, other than a fling. */
static int plan_line(const struct dj_gesture *gesture, const struct dj_ui_rect *area,
                     struct dj_touch_plan *plan, struct dj_error *err)
{
    static const struct {
        int64_t own_ns, hold_ns, settle_ns;
        easing *easing; /* Motion of the finger, or NULL if the finger does not move. */
    } lines[] = {
        [DJ_GESTURE_TAP] = {TAP_NS, 0, 0, NULL},
        [DJ_GESTURE_LONG_TAP] = {LONG_TAP_NS, 0, 0, NULL},
        [DJ_GESTURE_SWIPE] = {SWIPE_NS, 0, 0, ease_linear},
        [DJ_GESTURE_DRAG] = {DRAG_NS, DRAG_HOLD_NS, SETTLE_NS, ease_smooth},
        [DJ_GESTURE_SCROLL_TO] = {DRAG_NS, 0, SETTLE_NS, ease_smooth},
    };
    struct path path;
    int code = find_path(gesture, area, &path, err);
    if (code != 0) {
        return code;
    }
    int64_t own_ns = lines[gesture->kind].own_ns;
    int64_t ns = gesture->duration_ns >= 0 ? gesture->duration_ns : own_ns;
    plan->still = lines[gesture->kind].easing == NULL;
    struct motion motion = {
        .hold_ns = plan->still ? ns : lines[gesture->kind].hold_ns,
        .move_ns = plan->still ? 0 : round_to_steps(ns),
        .settle_ns = lines[gesture->kind].settle_ns,
        .easing = lines[gesture->kind].easing,
    };
    plan_motion(plan, &path, 1, &motion);
    if (gesture->kind == DJ_GESTURE_SWIPE) {
        plan->end_speed_px_s = get_length(&path) / (double)motion.move_ns * 1e9;
    }
    return 0;
}

/* Plans a fling. With constant acceleration from 0, a distance d and a final speed v take
 * the time t = 2d/v. t is rounded down to whole steps, and d is reduced accordingly, so
 * that the final speed is v. */
static int plan_fling(const struct dj_gesture *gesture, const struct dj_ui_rect *area,
                      struct dj_touch_plan *plan, struct dj_error *err)
{
    struct path path = compute_path(gesture->direction, area);
    double length = get_length(&path);
    double wanted = gesture->speed_px_s;
    int64_t ns = FLING_NS;
    if (wanted > 0) {
        double needed_ns = 2 * length / wanted * 1e9;
        if (needed_ns < FLING_SHORTEST_NS) {
            return dj_error_set(
                err, DJ_E_USAGE,
                "a fling over %.0f pixels reaches at most %.0f px/s, not %.0f", length,
                2 * length / FLING_SHORTEST_NS * 1e9, wanted);
        }
        ns = needed_ns > FLING_LONGEST_NS ? FLING_LONGEST_NS : (int64_t)needed_ns;
    }
    ns = round_to_steps(ns);
    if (wanted > 0) {
        path.to = interpolate(path.from, path.to, wanted * (double)ns / 2e9 / length);
    }
    struct motion motion = {.move_ns = ns, .easing = ease_accelerating};
    plan_motion(plan, &path, 1, &motion);
    plan->end_speed_px_s = wanted > 0 ? wanted : 2 * length / (double)ns * 1e9;
    return 0;
}

/* Plans two fingers on the diagonal from bottom left to top right. */
static void plan_pinch(const struct dj_gesture *gesture, const struct dj_ui_rect *area,
                       struct dj_touch_plan *plan)
{
    int width = dj_drive_rect_width(area), height = dj_drive_rect_height(area);
    double size = (width < height ? width : height) - 1;
    double far = size / 2 * (gesture->percent > 0 ? gesture->percent : 70) / 100;
    double near = far / 5;
    bool out = gesture->direction == DJ_DIRECTION_OUT;
    double begin = out ? near : far, end = out ? far : near;
    struct place middle = {area->left + (width - 1) / 2.0,
                           area->top + (height - 1) / 2.0};
    struct path paths[2] = {
        {{middle.x - begin, middle.y + begin}, {middle.x - end, middle.y + end}},
        {{middle.x + begin, middle.y - begin}, {middle.x + end, middle.y - end}},
    };
    int64_t ns = gesture->duration_ns >= 0 ? gesture->duration_ns : PINCH_NS;
    struct motion motion = {.move_ns = round_to_steps(ns), .easing = ease_smooth};
    plan_motion(plan, paths, 2, &motion);
}

int dj_touch_plan_gesture(const struct dj_gesture *gesture, const struct dj_ui_rect *area,
                          struct dj_touch_plan *plan, struct dj_error *err)
{
    if (gesture->kind > DJ_GESTURE_SCROLL_TO) {
        return dj_error_set(err, DJ_E_USAGE, "%s is not a touch gesture",
                            dj_gesture_name(gesture->kind));
    }
    if (dj_drive_rect_width(area) < 1 || dj_drive_rect_height(area) < 1) {
        return dj_error_set(err, DJ_E_NOT_FOUND, "the target is not visible");
    }
    int code = 0;
    if (gesture->kind == DJ_GESTURE_PINCH) {
        plan_pinch(gesture, area, plan);
    } else if (gesture->kind == DJ_GESTURE_FLING) {
        code = plan_fling(gesture, area, plan, err);
    } else {
        code = plan_line(gesture, area, plan, err);
    }
    plan->scrolls = gesture->kind == DJ_GESTURE_FLING ||
                    gesture->kind == DJ_GESTURE_SCROLL_TO ||
                    (gesture->kind == DJ_GESTURE_SWIPE && gesture->point_count == 0);
    return code == 0 && plan->failed
               ? dj_error_set(err, DJ_E_NO_MEMORY,
                              "out of memory, or the gesture is too long")
               : code;
}
