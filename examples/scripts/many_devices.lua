-- One function on every device that adb has, all at the same time.
--
--   dejank script examples/scripts/many_devices.lua com.example.app/.MainActivity

local component = ...
assert(component, "expected: PACKAGE/ACTIVITY")

local devices = dejank.devices()
local models = dejank.each(devices, function(device)
    device:wake()
    device:startActivity{component = component}
    return device:getProperty("build.model")
end, function(name, message)
    return "failed: " .. message
end)

for i, name in ipairs(devices) do
    print(name, models[i])
end
