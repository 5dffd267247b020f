/* An SDL 2 program with known input. In every so many frames a key event arrives, and
 * its handler uses CPU time.
 *
 *   sdl_app [--draw gl|renderer|surface] [--frames N] [--every N --handler MS]
 *           [--wait] [--pace MS]
 *
 * `gl` swaps, `renderer` uses SDL's software renderer, and `surface` uses the pixels
 * of the window. With --wait the program calls SDL_WaitEvent() instead of
 * SDL_PollEvent(). Prints for each frame "frame I handled_ms H", where H is the
 * duration of its handlers. */
#include <SDL.h>
#include <SDL_opengl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct {
    const char *draw;
    int frames, every;
    double handler_ms, pace_ms;
    bool wait;
} options = {.draw = "surface", .frames = 60, .pace_ms = 16};

static SDL_Window *window;
static SDL_Renderer *renderer;

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double handle(const SDL_Event *event)
{
    double begin_ms = now_ms();
    if (event->type != SDL_KEYDOWN) {
        return 0;
    }
    while (now_ms() < begin_ms + options.handler_ms) {
    }
    return now_ms() - begin_ms;
}

static double handle_all(void)
{
    SDL_Event event;
    double handled_ms = 0;
    if (options.wait && SDL_WaitEvent(&event)) {
        handled_ms += handle(&event);
    }
    while (SDL_PollEvent(&event)) {
        handled_ms += handle(&event);
    }
    return handled_ms;
}

static void draw(int frame)
{
    SDL_Rect square = {frame % 260, 60, 60, 60};
    if (strcmp(options.draw, "gl") == 0) {
        glClearColor((float)(frame % 60) / 60, 0.5F, 0.2F, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        SDL_GL_SwapWindow(window);
    } else if (strcmp(options.draw, "renderer") == 0) {
        SDL_SetRenderDrawColor(renderer, (Uint8)frame, 100, 50, 255);
        SDL_RenderClear(renderer);
        SDL_SetRenderDrawColor(renderer, 255, 255, 255, 255);
        SDL_RenderFillRect(renderer, &square);
        SDL_RenderPresent(renderer);
    } else {
        SDL_Surface *surface = SDL_GetWindowSurface(window);
        SDL_FillRect(surface, NULL, SDL_MapRGB(surface->format, (Uint8)frame, 100, 50));
        SDL_FillRect(surface, &square, SDL_MapRGB(surface->format, 255, 255, 255));
        SDL_UpdateWindowSurface(window);
    }
}

static bool open_window(void)
{
    bool gl = strcmp(options.draw, "gl") == 0;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        return false;
    }
    window = SDL_CreateWindow("before", 0, 0, 320, 240, gl ? SDL_WINDOW_OPENGL : 0);
    if (window == NULL) {
        return false;
    }
    if (gl) {
        return SDL_GL_CreateContext(window) != NULL;
    }
    if (strcmp(options.draw, "renderer") == 0) {
        renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE);
        return renderer != NULL;
    }
    return SDL_GetWindowSurface(window) != NULL;
}

static void read_options(int argc, char **argv)
{
    static const struct option names[] = {
        {"draw", 1, NULL, 'd'},    {"frames", 1, NULL, 'n'}, {"every", 1, NULL, 'e'},
        {"handler", 1, NULL, 'h'}, {"pace", 1, NULL, 'p'},   {"wait", 0, NULL, 'w'},
        {NULL, 0, NULL, 0},
    };
    int letter;
    while ((letter = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (letter) {
        case 'd':
            options.draw = optarg;
            break;
        case 'n':
            options.frames = (int)strtol(optarg, NULL, 10);
            break;
        case 'e':
            options.every = (int)strtol(optarg, NULL, 10);
            break;
        case 'h':
            options.handler_ms = strtod(optarg, NULL);
            break;
        case 'p':
            options.pace_ms = strtod(optarg, NULL);
            break;
        case 'w':
            options.wait = true;
            break;
        default:
            exit(2);
        }
    }
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    if (!open_window()) {
        fprintf(stderr, "sdl_app: %s\n", SDL_GetError());
        return 1;
    }
    for (int i = 0; i < options.frames; i++) {
        bool key = options.every > 0 && i % options.every == options.every - 1;
        SDL_Event press = {.type = key ? SDL_KEYDOWN : SDL_USEREVENT};
        SDL_Delay((Uint32)options.pace_ms);
        if (key || options.wait) {
            SDL_PushEvent(&press);
        }
        if (i == options.frames / 2) {
            SDL_SetWindowTitle(window, "after \xc3\xa4");
        }
        printf("frame %d handled_ms %.3f\n", i, handle_all());
        draw(i);
    }
    SDL_Quit();
    return 0;
}
