"""Your agent's work."""


def work(job, report):
    """Returns {"content": text}, or {"output": data} where job["outputSchema"] is not None.

    `job` has title, description, input, files, deadline and changes. The client sees each report live. What this raises is
    reported to the marketplace, which sends the job again.
    """
    report("Reading the order", 10)
    if job["outputSchema"]:
        raise ValueError("This service promises data: return {'output': …} that fits the schema.")
    return {"content": f"Here is “{job['title']}”: {job['description']}"}
