/* The eight kinds of plants. The frame's thread or its worker executes them. */
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "planted.h"

enum {
    MILLISECOND = 1000000,
    SPIN_MOST = 4 * MILLISECOND,
    FILE_PIECES = 4,
    WALL_MOST = 20
};

static int64_t do_work(struct plant *plant, const struct plan *plan)
{
    (void)plan;
    burn(plant->size_ns);
    return 0;
}

/* Waits for a lock. The thread that holds the lock was woken by its own timer. */
static int64_t do_lock(struct plant *plant, const struct plan *plan)
{
    (void)plan;
    atomic_store(&plant->waited_since_ns, now_ns());
    pthread_mutex_lock(&plant->lock);
    pthread_mutex_unlock(&plant->lock);
    return 0;
}

/* Works while the competitor wants the CPU. The competitor's CPU time is read after the
 * frame. */
static int64_t do_competitor(struct plant *plant, const struct plan *plan)
{
    (void)plan;
    competitor_go(plant);
    burn(MILLISECOND);
    return 0;
}

/* Writes a part of the file and calls fsync(), again and again, until the calls have
 * waited for the planned time in total. Some file systems never wait, so the wall time
 * is limited too. */
static int64_t do_fsync(struct plant *plant, const struct plan *plan)
{
    static char piece[1024 * 1024];
    static int file = -1;
    if (file < 0 && (file = open(plan->file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) < 0) {
        fail(plan->file);
    }
    struct meter before = meter_now();
    struct meter used;
    int i = 0;
    do {
        piece[0]++;
        off_t at = (off_t)(i++ % FILE_PIECES) * (off_t)sizeof piece;
        if (pwrite(file, piece, sizeof piece, at) < 0 || fsync(file) != 0) {
            fail(plan->file);
        }
        used = meter_since(before);
    } while (asleep_ns(used) < plant->size_ns &&
             used.wall_ns < WALL_MOST * plant->size_ns);
    return 0;
}

static int64_t do_bus(struct plant *plant, const struct plan *plan)
{
    (void)plan;
    bus_call(plant->held_in, plant->size_ns);
    return 0;
}

static int64_t do_sleep(struct plant *plant, const struct plan *plan)
{
    (void)plan;
    sleep_until(now_ns() + plant->size_ns);
    return 0;
}

/* Sleeps for half a millisecond, with a timer slack equal to the delay that is still to
 * be planted. The slack allows the kernel to end the sleep that late. On a busy CPU, any
 * timer tick ends such a sleep before the slack is over. So the delay may need several
 * sleeps. */
static int64_t do_late(struct plant *plant, const struct plan *plan)
{
    (void)plan;
    enum { ASKED = MILLISECOND / 2, WAITS_MOST = 40 };
    int64_t late_ns = 0;
    for (int i = 0; i < WAITS_MOST && late_ns < plant->size_ns * 95 / 100; i++) {
        prctl(PR_SET_TIMERSLACK, (unsigned long)(plant->size_ns - late_ns));
        struct meter before = meter_now();
        sleep_until(before.wall_ns + ASKED);
        struct meter used = meter_since(before);
        late_ns += asleep_ns(used) - ASKED;
    }
    prctl(PR_SET_TIMERSLACK, 0UL);
    return late_ns;
}

static int64_t (*const doers[PLANT_KINDS])(struct plant *, const struct plan *) = {
    [STAGE] = do_work,  [SECTION] = do_work,
    [LOCK] = do_lock,   [COMPETITOR] = do_competitor,
    [FSYNC] = do_fsync, [BUS] = do_bus,
    [SLEEP] = do_sleep, [LATE] = do_late,
};

/* Works until the other thread holds the lock, for at most SPIN_MOST. Otherwise the
 * frame would not have to wait. */
static void expect_holder(struct plant *plant)
{
    int64_t until_ns = now_ns() + SPIN_MOST;
    while (!atomic_load(&plant->held) && now_ns() < until_ns) {
        burn(50000);
    }
}

struct taken plant_do(struct plant *plant, const struct plan *plan)
{
    if (plant->kind == LOCK) {
        expect_holder(plant);
    }
    if (plant->name[0] != '\0') {
        mark_begin(plant->name);
    }
    struct meter before = meter_now();
    int64_t special_ns = doers[plant->kind](plant, plan);
    struct taken taken = {meter_since(before), special_ns};
    if (plant->name[0] != '\0') {
        mark_end();
    }
    return taken;
}
