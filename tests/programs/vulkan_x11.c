#define VK_USE_PLATFORM_XLIB_KHR
#include "vulkan_scene.h"

static Display *connection;
static Window first;

static bool open_display(void)
{
    XInitThreads();
    connection = XOpenDisplay(NULL);
    return connection != NULL;
}

static bool add_window(VkInstance instance, VkSurfaceKHR *surface)
{
    Window window = XCreateSimpleWindow(connection, DefaultRootWindow(connection), 0, 0,
                                        SCENE_WIDTH, SCENE_HEIGHT, 0, 0, 0);
    first = first != None ? first : window;
    XMapWindow(connection, window);
    XSync(connection, False);
    const VkXlibSurfaceCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR,
        .dpy = connection,
        .window = window,
    };
    return vkCreateXlibSurfaceKHR(instance, &info, NULL, surface) == VK_SUCCESS;
}

static void resize(int width, int height)
{
    XResizeWindow(connection, first, (unsigned)width, (unsigned)height);
    XSync(connection, False);
}

static void dispatch(void)
{
}

const struct vulkan_display vulkan_x11 = {
    .name = "x11",
    .extension = VK_KHR_XLIB_SURFACE_EXTENSION_NAME,
    .open = open_display,
    .add_window = add_window,
    .resize = resize,
    .dispatch = dispatch,
};
