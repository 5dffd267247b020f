/* Threads and processes for which the planted program's frames wait. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "planted.h"

enum { MILLISECOND = 1000000, HOLD_MOST = 200 * MILLISECOND };

/* ---- holders of locks ---- */

struct holding {
    struct plant *plant;
    struct next_frame *next;
};

/* Holds the lock until the frame has waited as long as planned. If the frame does not
 * begin to wait within HOLD_MOST, stops holding it. */
static void hold(struct plant *plant)
{
    int64_t most_ns = now_ns() + HOLD_MOST;
    int64_t since_ns;
    while ((since_ns = atomic_load(&plant->waited_since_ns)) == 0 && now_ns() < most_ns) {
        if (plant->busy) {
            burn(50000);
        } else {
            sleep_until(now_ns() + MILLISECOND / 5);
        }
    }
    if (!plant->busy) {
        sleep_until(since_ns + plant->size_ns);
        return;
    }
    while (now_ns() < since_ns + plant->size_ns) {
        burn(20000);
    }
}

static void take_and_hold(struct plant *plant)
{
    mark_begin(plant->held_in);
    pthread_mutex_lock(&plant->lock);
    atomic_store(&plant->held, true);
    hold(plant);
    atomic_store(&plant->held, false);
    atomic_store(&plant->waited_since_ns, 0);
    pthread_mutex_unlock(&plant->lock);
    mark_end();
}

static int coming(const struct plant *plant, int from)
{
    while (from < FRAMES_MOST && !plant->at[from]) {
        from++;
    }
    return from;
}

/* The thread that holds the lock. Only its own timers wake it, never the thread that
 * will wait for the lock. */
static void *run_holder(void *user)
{
    struct holding *holding = user;
    struct plant *plant = holding->plant;
    name_thread(plant->holder);
    int frame = coming(plant, 0);
    while (!atomic_load(&holding->next->over) && frame < FRAMES_MOST) {
        int next = atomic_load(&holding->next->index);
        if (next < frame) {
            sleep_until(now_ns() + (frame - next > 2 ? 6 : 1) * (int64_t)MILLISECOND);
            continue;
        }
        sleep_until(atomic_load(&holding->next->start_ns) + MILLISECOND / 5);
        take_and_hold(plant);
        frame = coming(plant, frame + 1);
    }
    free(holding);
    return NULL;
}

void holder_start(struct plant *plant, struct next_frame *next)
{
    struct holding *holding = malloc(sizeof *holding);
    *holding = (struct holding){plant, next};
    pthread_mutex_init(&plant->lock, NULL);
    if ((errno = pthread_create(&plant->thread, NULL, run_holder, holding)) != 0) {
        fail("thread");
    }
}

void holder_stop(struct plant *plant)
{
    pthread_join(plant->thread, NULL);
}

/* ---- competitors for the CPU ---- */

struct competitor {
    pid_t pid;
    int go;
    atomic_llong cpu_ns; /* CPU time of the last burst, or 0 while the burst runs. */
};

static void run_competitor(struct plant *plant, int cpu, int go)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    struct sched_param first = {.sched_priority = 1};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    name_thread(plant->holder);
    /* When the competitor is runnable, it gets the CPU. It is either a real-time thread
     * or has the highest nice priority. */
    if (sched_setaffinity(0, sizeof set, &set) != 0 ||
        (plant->busy ? sched_setscheduler(0, SCHED_FIFO, &first)
                     : setpriority(PRIO_PROCESS, 0, -20)) != 0) {
        fail("competitor");
    }
    uint64_t count;
    while (read(go, &count, sizeof count) == sizeof count) {
        struct meter before = meter_now();
        burn(plant->size_ns);
        atomic_store(&plant->competitor->cpu_ns, meter_since(before).cpu_ns);
    }
    _exit(0);
}

void competitor_start(struct plant *plant, int cpu)
{
    plant->competitor = mmap(NULL, sizeof *plant->competitor, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int go = eventfd(0, EFD_CLOEXEC);
    if (plant->competitor == MAP_FAILED || go < 0) {
        fail("competitor");
    }
    plant->competitor->go = go;
    pid_t pid = fork();
    if (pid == 0) {
        run_competitor(plant, cpu, go);
    }
    plant->competitor->pid = pid;
}

void competitor_go(struct plant *plant)
{
    struct competitor *competitor = plant->competitor;
    uint64_t one = 1;
    atomic_store(&competitor->cpu_ns, 0);
    if (write(competitor->go, &one, sizeof one) != sizeof one) {
        fail("competitor");
    }
}

int64_t competitor_burst(struct plant *plant)
{
    int64_t until_ns = now_ns() + 5 * plant->size_ns;
    int64_t cpu_ns;
    while ((cpu_ns = atomic_load(&plant->competitor->cpu_ns)) == 0 &&
           now_ns() < until_ns) {
        sleep_until(now_ns() + MILLISECOND / 2);
    }
    return cpu_ns;
}

void competitor_stop(struct plant *plant)
{
    kill(plant->competitor->pid, SIGKILL);
    waitpid(plant->competitor->pid, NULL, 0);
}

/* ---- the worker ---- */

static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*job)(void *user);
    void *user;
    bool over;
    const struct plan *plan;
} worker = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *run_worker(void *user)
{
    (void)user;
    name_thread(worker.plan->worker);
    pthread_mutex_lock(&worker.lock);
    for (;;) {
        while (worker.job == NULL && !worker.over) {
            pthread_cond_wait(&worker.changed, &worker.lock);
        }
        if (worker.over) {
            break;
        }
        mark_begin(worker.plan->worker_section);
        worker.job(worker.user);
        mark_end();
        worker.job = NULL;
        pthread_cond_broadcast(&worker.changed);
    }
    pthread_mutex_unlock(&worker.lock);
    return NULL;
}

void worker_start(const struct plan *plan)
{
    worker.plan = plan;
    if ((errno = pthread_create(&worker.thread, NULL, run_worker, NULL)) != 0) {
        fail("thread");
    }
}

void worker_do(void (*job)(void *user), void *user)
{
    pthread_mutex_lock(&worker.lock);
    worker.job = job;
    worker.user = user;
    pthread_cond_broadcast(&worker.changed);
    while (worker.job != NULL) {
        pthread_cond_wait(&worker.changed, &worker.lock);
    }
    pthread_mutex_unlock(&worker.lock);
}

void worker_stop(void)
{
    pthread_mutex_lock(&worker.lock);
    worker.over = true;
    pthread_cond_broadcast(&worker.changed);
    pthread_mutex_unlock(&worker.lock);
    pthread_join(worker.thread, NULL);
}
